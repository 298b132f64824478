import { runSeed, type SeedResult } from './run-seed.ts';
import { SOMETIMES, type SometimesCounts } from './sometimes.ts';
import { INVARIANTS } from './violation.ts';

/** How many seeds, or how long; whichever ends first. */
export interface RunOptions {
  readonly firstSeed: number;
  readonly count?: number;
  readonly seconds?: number;
  /** Told every few seconds. */
  readonly onProgress?: (count: number, seconds: number) => void;
}

export interface RunReport {
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly count: number;
  readonly seconds: number;
  readonly eventCount: number;
  readonly virtualMs: number;
  /** The run that broke a promise; there is at most one, for it ends everything. */
  readonly failure: SeedResult | null;
  readonly counts: SometimesCounts;
}

export const SEED_LIMIT = 2 ** 31;
const PROGRESS_SECONDS = 10;

export async function runSeeds(options: RunOptions): Promise<RunReport> {
  const { firstSeed, count: most = Number.POSITIVE_INFINITY, onProgress } = options;
  const counts: SometimesCounts = new Map();
  const startMs = performance.now();
  const passed = (): number => (performance.now() - startMs) / 1000;
  let progressAt = PROGRESS_SECONDS;
  let count = 0;
  let eventCount = 0;
  let virtualMs = 0;
  let failure: SeedResult | null = null;
  while (failure === null && count < most) {
    if (passed() >= (options.seconds ?? Number.POSITIVE_INFINITY)) break;
    const result = await runSeed((firstSeed + count) % SEED_LIMIT, { counts });
    count += 1;
    eventCount += result.eventCount;
    virtualMs += result.virtualMs;
    if (result.violation !== null) failure = result;
    // Seeds leave no room for anything else: timers and messages of the test runner want their turn.
    if (count % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (passed() < progressAt) continue;
    progressAt = passed() + PROGRESS_SECONDS;
    onProgress?.(count, passed());
  }
  return {
    firstSeed,
    lastSeed: (firstSeed + Math.max(0, count - 1)) % SEED_LIMIT,
    count,
    seconds: passed(),
    eventCount,
    virtualMs,
    failure,
    counts,
  };
}

export function summaryOf(report: RunReport): string {
  const { firstSeed, lastSeed, count, seconds, eventCount, virtualMs } = report;
  const pace = (count / seconds).toFixed(1);
  const events = Math.round(eventCount / Math.max(1, count));
  const times = Math.round(virtualMs / 1000 / seconds);
  return (
    `seeds ${firstSeed} to ${lastSeed}: ${count} in ${seconds.toFixed(1)} s, ` +
    `${pace} a second, ${events} events each, ${times} times as fast as life`
  );
}

export function failureText({ seed, violation }: SeedResult): string {
  if (violation === null) return `seed ${seed} holds`;
  return [
    `seed ${seed} breaks a promise: ${INVARIANTS[violation.invariant]}`,
    `  ${violation.message}`,
    `  replay it with: npm run simulate -- --seed ${seed}`,
  ].join('\n');
}

export function tableOf(counts: SometimesCounts): string {
  const others = [...counts.keys()].filter((name) => !SOMETIMES.some((one) => one === name));
  const rows = [...SOMETIMES, ...others.sort()].map(
    (name) => `${String(counts.get(name) ?? 0).padStart(9)}  ${name}`,
  );
  return ['     hits  sometimes', ...rows].join('\n');
}
