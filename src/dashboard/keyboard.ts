/** Keys that work everywhere but in fields and dialogs. */
import { signal } from '@preact/signals';
import { isPaused } from './live.ts';

export const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['x', 'Select the row'],
  ['Enter', 'Open the row'],
  ['p', 'Pause or resume updates'],
  ['?', 'Show these keys'],
  ['Esc', 'Leave a field, close a dialog'],
];

export const isHelpOpen = signal(false);

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('input:not([type=checkbox]), textarea, select')) {
      if (event.key === 'Escape' && target instanceof HTMLElement) target.blur();
      return;
    }
    if (document.querySelector('dialog[open]')) return;
    if (press(event.key, target)) event.preventDefault();
  });
}

/** Whether the key meant something. */
function press(key: string, target: Element | null): boolean {
  switch (key) {
    case '/':
      return focusOn(
        document.querySelector('main [data-search]') ?? document.querySelector('[data-search]'),
      );
    case 'j':
      return moveRow(target, 1);
    case 'k':
      return moveRow(target, -1);
    case 'x':
      return clickOn(target?.closest('tr')?.querySelector('input[type=checkbox]'));
    case 'p':
      isPaused.value = !isPaused.value;
      return true;
    case '?':
      isHelpOpen.value = true;
      return true;
    default:
      return false;
  }
}

function moveRow(target: Element | null, by: number): boolean {
  const rows = [...document.querySelectorAll('main [data-row]')];
  const current = target?.closest('tr')?.querySelector('[data-row]') ?? null;
  const index = current === null ? (by > 0 ? 0 : rows.length - 1) : rows.indexOf(current) + by;
  return focusOn(rows[Math.min(Math.max(index, 0), rows.length - 1)] ?? null);
}

function focusOn(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  if (element instanceof HTMLInputElement) element.select();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

function clickOn(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.click();
  return true;
}
