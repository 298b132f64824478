import { readFileSync } from 'node:fs';

export interface Effect {
  readonly what: 'begin' | 'end';
  readonly task: string;
  readonly fence: number;
  readonly at: number;
}

/** What worker-process.mjs left behind. */
export function readEffects(file: string): Effect[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [what, task = '', fence, at] = line.split(' ');
    return { what: what as Effect['what'], task, fence: Number(fence), at: Number(at) };
  });
}

/** How many runs each task had. */
export function runsByTask(effects: readonly Effect[]): Map<string, number> {
  const runs = new Map<string, number>();
  for (const { what, task } of effects) {
    if (what === 'begin') runs.set(task, (runs.get(task) ?? 0) + 1);
  }
  return runs;
}

/** The most that ran at one time, by what the runs themselves noted. */
export function mostAtOnce(effects: readonly Effect[]): number {
  let now = 0;
  let most = 0;
  // Of one millisecond the ends come first: they may have been a moment earlier.
  const order = { end: 0, begin: 1 };
  for (const { what } of effects.toSorted((a, b) => a.at - b.at || order[a.what] - order[b.what])) {
    now += what === 'begin' ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}
