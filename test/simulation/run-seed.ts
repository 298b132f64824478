import { onListAttempts } from './shadow/shadow-attempts.ts';
import { checkTask } from './shadow/shadow-tasks.ts';
import { NAMESPACE } from './shadow/watched-store.ts';
import { countingSometimes, type SometimesCounts } from './sometimes.ts';
import { silentTrace, type Trace } from './trace.ts';
import { insist, type Violation } from './violation.ts';
import { hasUnfinished, unfinished } from './world/calm.ts';
import { startCluster } from './world/cluster.ts';
import { createWorld, type World } from './world/world.ts';

export interface SeedResult {
  readonly seed: number;
  readonly violation: Violation | null;
  readonly eventCount: number;
  readonly virtualMs: number;
}

export interface SeedOptions {
  readonly counts?: SometimesCounts;
  readonly trace?: Trace;
}

/** From the calm on, everything must have ended after this long. */
const RECOVERY_MS = 60_000;
const CALM_FROM = 0.6;
const LONG_AGO = new Date(0);

/** One run, from its seed alone: the same seed does the same, event by event. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const { counts = new Map(), trace = silentTrace } = options;
  const sometimes = countingSometimes(counts);
  const world = createWorld({ seed, trace, sometimes });
  const { plan, time } = world;
  const isBroken = (): boolean => world.violation !== null;
  const cluster = await startCluster(world);
  sometimes.hit(`run for ${plan.mode}`);

  if (plan.mode === 'safety') {
    await time.run(plan.durationMs, isBroken);
  } else {
    await time.run(plan.durationMs * CALM_FROM, isBroken);
    cluster.calm();
    const hasEnded = (): boolean => cluster.isSubmitted && !hasUnfinished(world);
    await time.run(time.nowMs + RECOVERY_MS, () => isBroken() || hasEnded());
    await attempt(world, async () => {
      const left = unfinished(world);
      insist(left.length === 0, 'all ends', () => `after ${RECOVERY_MS} ms: ${left.join('; ')}`);
    });
  }
  await attempt(world, () => compareAtTheEnd(world));
  return {
    seed,
    violation: world.violation,
    eventCount: time.eventCount,
    virtualMs: time.nowMs,
  };
}

async function attempt(world: World, check: () => Promise<void>): Promise<void> {
  if (world.violation !== null) return;
  try {
    await check();
  } catch (error) {
    world.fail(error);
  }
}

/** Every task and every attempt, and not one more. */
async function compareAtTheEnd({ store, shadow }: World): Promise<void> {
  const page = await store.tasks.list(
    NAMESPACE,
    { sort: 'id', direction: 'asc', after: null, limit: 100_000 },
    { now: LONG_AGO },
  );
  for (const task of page.items) checkTask(task.id, task, shadow.tasks.get(task.id) ?? null);
  const ids = [...shadow.tasks.keys(), ...shadow.gone];
  const tasks = await store.tasks.peek(NAMESPACE, ids);
  for (const [index, id] of ids.entries()) {
    checkTask(id, tasks[index] ?? null, shadow.tasks.get(id) ?? null);
  }
  for (const id of shadow.tasks.keys()) {
    const attempts = await store.attempts.list(NAMESPACE, id, { now: LONG_AGO });
    onListAttempts(shadow, id, attempts, LONG_AGO.getTime());
  }
  const problems = store.audit();
  insist(problems.length === 0, 'audit clean', () => problems.join('; '));
}
