const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in at most two units, short enough for a table. */
export function durationText(ms: number): string {
  const length = Math.max(0, ms);
  if (length < SECOND) return `${Math.round(length)} ms`;
  if (length < 10 * SECOND) return `${trimmed(length / SECOND)} s`;
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return twoUnits(length, [MINUTE, 'min'], [SECOND, 's']);
  if (length < DAY) return twoUnits(length, [HOUR, 'h'], [MINUTE, 'min']);
  return twoUnits(length, [DAY, 'd'], [HOUR, 'h']);
}

/** How far an instant is from now: `12 s ago`, `in 5 min`. */
export function relativeText(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  const size = Math.abs(ms);
  if (size < 1500) return 'now';
  const length = coarse(size);
  return ms > 0 ? `${length} ago` : `in ${length}`;
}

/** What is left of a waiting line at a rate; null when it does not move. */
export function findTimeLeft(waiting: number, perSecond: number): string | null {
  if (waiting === 0 || perSecond < 0.01) return null;
  return coarse((waiting / perSecond) * SECOND);
}

/** An instant in the reader's own time zone and habit, to the second. */
export function localText(at: Date): string {
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

export function clockText(at: Date): string {
  return at.toLocaleTimeString(undefined, { timeStyle: 'medium', hourCycle: 'h23' });
}

function coarse(ms: number): string {
  if (ms < MINUTE) return `${Math.max(1, Math.round(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} days`;
}

type Unit = readonly [size: number, name: string];

function twoUnits(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const first = Math.floor(ms / large);
  const second = Math.floor((ms - first * large) / small);
  return second === 0 ? `${first} ${largeName}` : `${first} ${largeName} ${second} ${smallName}`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
