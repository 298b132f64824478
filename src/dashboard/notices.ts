import { signal } from '@preact/signals';
import { systemClock } from '../core/index.ts';
import { toWords } from './session.ts';

export interface Notice {
  readonly number: number;
  readonly kind: 'done' | 'problem';
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
}

const SHOWN_MS = 7000;
const MOST_NOTICES = 4;

export const notices = signal<readonly Notice[]>([]);
let count = 0;

/** Says what was done, for a while. */
export function tell(text: string, link?: Notice['link']): void {
  const number = add({ kind: 'done', text, ...(link && { link }) });
  systemClock.after(SHOWN_MS, () => dismiss(number));
}

/** Says what went wrong, until it is dismissed. */
export function tellProblem(error: unknown): void {
  add({ kind: 'problem', text: toWords(error) });
}

export function dismiss(number: number): void {
  notices.value = notices.value.filter((notice) => notice.number !== number);
}

function add(notice: Omit<Notice, 'number'>): number {
  count += 1;
  notices.value = [...notices.value, { ...notice, number: count }].slice(-MOST_NOTICES);
  return count;
}
