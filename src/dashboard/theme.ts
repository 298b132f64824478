import { computed, effect, signal } from '@preact/signals';

const KEY = 'batchyard.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
type Theme = 'light' | 'dark';

/** The reader's choice; null follows the system. */
const choice = signal<Theme | null>(toTheme(localStorage.getItem(KEY)));
const systemTheme = signal<Theme>(system.matches ? 'dark' : 'light');
system.addEventListener('change', () => {
  systemTheme.value = system.matches ? 'dark' : 'light';
});

export const theme = computed(() => choice.value ?? systemTheme.value);
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

/** Back to what the system says is no choice any more: then it is followed again. */
export function switchTheme(): void {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  choice.value = next === systemTheme.value ? null : next;
  if (choice.value === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice.value);
}

function toTheme(text: string | null): Theme | null {
  return text === 'light' || text === 'dark' ? text : null;
}
