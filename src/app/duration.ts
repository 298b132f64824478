const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

export const DURATION_EXAMPLES = '500ms, 30s, 10m, 1h30m, 7d';

/** Milliseconds of `30s` or `1h30m`; null when the text is no duration. A bare number has no unit, so only 0 is one. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(text)) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    total += Number(count) * (UNITS.find(([name]) => name === unit)?.[1] ?? 0);
  }
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : null;
}

/** A text that `parseDuration` reads as the same length. Weeks are left out: 30d says more than 4w2d. */
export function formatDuration(ms: number): string {
  let rest = ms;
  let text = '';
  for (const [name, length] of UNITS.slice(1)) {
    const count = Math.floor(rest / length);
    if (count > 0) text += `${count}${name}`;
    rest -= count * length;
  }
  return text === '' ? '0' : text;
}
