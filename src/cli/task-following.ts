/** Waits for tasks to end, telling how far they are. */
import type { Engine, TaskCounts, TaskSelection, TaskState } from '../core/index.ts';
import type { EngineSession } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { listPages } from './list-pages.ts';
import { countOf, formatCount } from './numbers.ts';
import { createPace } from './pace.ts';
import { drawBar } from './progress.ts';
import { RUNNING, sumOf, UNFINISHED, UNSUCCESSFUL } from './queue-text.ts';

export interface Following {
  readonly filter: TaskSelection;
  /** null: as long as it takes. */
  readonly timeoutMs: number | null;
  /** How many there are; null: not known before they are counted. */
  readonly total: number | null;
}

type FollowSession = Pick<EngineSession, 'engine' | 'out' | 'clock' | 'stop'>;

const LOOK_MS = 1_000;
/** A filter on labels is counted task by task: dear while its queue holds more than a few that are open. */
const FEW = 1_000;
const EXACT_EVERY_MS = 10_000;
const MOST_COUNTED = 10_000;

/** 0: all succeeded. 1: some did not. 4: the time was over. */
export async function followTasks(session: FollowSession, following: Following): Promise<ExitCode> {
  const { out, clock } = session;
  const { filter, timeoutMs } = following;
  const startMs = clock.monotonicMs();
  const deadline = timeoutMs === null ? Number.POSITIVE_INFINITY : startMs + timeoutMs;
  const progress = out.progress();
  const pace = createPace(clock);
  let exactMs = clock.monotonicMs();
  let most = following.total ?? 0;
  let failedBefore: number | null = null;
  // The first look does not wait, so that there is something to see at once.
  let patienceMs = 0;

  for (;;) {
    const counts = await roughCounts(session.engine, filter);
    const inQueues = counts === null ? 0 : sumOf(counts, UNFINISHED);
    const isDear = inQueues > FEW && !isWholeQueues(filter);
    const left = Math.max(0, deadline - clock.monotonicMs());
    let open = Math.min(inQueues, following.total ?? inQueues);
    if (!isDear || clock.monotonicMs() - exactMs >= EXACT_EVERY_MS) {
      exactMs = clock.monotonicMs();
      const waitMs = isDear ? 0 : Math.floor(Math.min(patienceMs, left));
      const answer = await session.engine.tasks.wait({ filter, timeoutMs: waitMs });
      if (answer.done) return finish(session, following);
      open = answer.unfinished;
    } else await clock.sleep(Math.min(LOOK_MS, left), session.stop);

    patienceMs = LOOK_MS;
    const failed = counts === null ? 0 : sumOf(counts, UNSUCCESSFUL);
    const running = counts === null ? null : sumOf(counts, RUNNING);
    failedBefore ??= failed;
    most = Math.max(most, open);
    pace.add(most - open);
    const standing = { total: most, open, running, failed: failed - failedBefore };
    progress.update(() => progressLine({ ...standing, pace: pace.text(open) }));
    if (clock.monotonicMs() >= deadline) {
      const text = `Time is over: ${countOf(open, 'task')} not ended.`;
      out.print({ done: false, unfinished: open }, text);
      return EXIT.timedOut;
    }
  }
}

/** Whole queues are counted by their counters. */
function isWholeQueues({ queues, ...others }: TaskSelection): boolean {
  return queues !== undefined && Object.keys(others).length === 0;
}

interface Standing {
  readonly total: number;
  readonly open: number;
  /** null: not known. */
  readonly running: number | null;
  readonly failed: number;
  readonly pace: string;
}

function progressLine({ total, open, running, failed, pace }: Standing): string {
  const done = total - open;
  const parts = [
    `${formatCount(done)}/${formatCount(total)} done`,
    ...(running === null ? [] : [`${formatCount(running)} running`]),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ];
  const bar = drawBar(total === 0 ? 1 : done / total);
  return [bar, parts.join(', '), pace].join('  ').trimEnd();
}

/** Counts of the whole queues a filter names, which cost nothing; null when it names none. */
async function roughCounts(engine: Engine, { queues }: TaskSelection): Promise<TaskCounts | null> {
  if (queues === undefined || queues.length === 0) return null;
  const [first, ...rest] = await Promise.all(queues.map((queue) => engine.queues.countsOf(queue)));
  if (first === undefined) return null;
  const total = { ...first } as Record<TaskState, number>;
  for (const counts of rest) {
    for (const state of Object.keys(counts) as TaskState[]) total[state] += counts[state];
  }
  return total;
}

async function finish(
  { engine, out }: FollowSession,
  { filter, total }: Following,
): Promise<ExitCode> {
  const bad = await countUnsuccessful(engine, filter);
  const count = bad.reduce((sum, [, number]) => sum + number, 0);
  const json = { done: true, unfinished: 0, unsuccessful: Object.fromEntries(bad) };
  if (count === 0) {
    out.print(json, successText(total));
    return EXIT.ok;
  }
  const states = bad.map(([state, number]) => `${formatCount(number)} ${state}`).join(', ');
  out.print(json, `Not all tasks succeeded: ${states}.`);
  out.note(`See them: batchyard task list ${toOptions(filter, bad)}`);
  return EXIT.failed;
}

function successText(total: number | null): string {
  if (total === 1) return 'The task succeeded.';
  return total === null ? 'All tasks succeeded.' : `All ${countOf(total, 'task')} succeeded.`;
}

/** How many ended otherwise than well, by state; those with none left out. */
async function countUnsuccessful(
  engine: Engine,
  filter: TaskSelection,
): Promise<(readonly [TaskState, number])[]> {
  const counts = isWholeQueues(filter) ? await roughCounts(engine, filter) : null;
  const found: [TaskState, number][] = [];
  for (const state of UNSUCCESSFUL) {
    const number = counts?.[state] ?? (await countTasks(engine, { ...filter, states: [state] }));
    if (number > 0) found.push([state, number]);
  }
  return found;
}

async function countTasks(engine: Engine, filter: TaskSelection): Promise<number> {
  let count = 0;
  for await (const tasks of listPages((page) => engine.tasks.list(filter, page), MOST_COUNTED)) {
    count += tasks.length;
  }
  return count;
}

function toOptions(filter: TaskSelection, bad: readonly (readonly [TaskState, number])[]): string {
  return [
    ...(filter.queues ?? []).map((queue) => `--queue ${queue}`),
    ...Object.entries(filter.labels ?? {}).map(([name, text]) => `--label ${name}=${text}`),
    `--state ${bad.map(([state]) => state).join(',')}`,
  ].join(' ');
}
