const STEPS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** A length of time for people, in its two largest units: `3m 12s`, `2d 4h`, `1.5s`, `40ms`. */
export function formatLength(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')}s`;
  let rest = Math.round(ms / 1000);
  const parts: string[] = [];
  for (const [name, seconds] of STEPS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count}${name}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}

/** `12s ago`, `in 3m 12s`, `now`. */
export function formatAgo(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (Math.abs(ms) < 1000) return 'now';
  const length = formatLength(Math.floor(Math.abs(ms) / 1000) * 1000);
  return ms > 0 ? `${length} ago` : `in ${length}`;
}

/** Local time to the second: `2026-03-01 09:30:00`. */
export function formatLocal(at: Date): string {
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${formatClock(at)}`;
}

/** Local time of day: `09:30:00`. */
export function formatClock(at: Date): string {
  return [two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())].join(':');
}

/** Local and relative: `2026-03-01 09:30:00 (2m 4s ago)`. */
export function formatTime(at: Date | null, now: Date): string {
  return at === null ? '-' : `${formatLocal(at)} (${formatAgo(at, now)})`;
}

/** Instants in words of the server's, which are UTC, told by the local clock. */
export function toLocalTimes(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatLocal(new Date(instant)));
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
