import { checkWhole } from '../domain/check.ts';
import { FINAL_STATES, TASK_STATES, type TaskState } from '../domain/task.ts';
import type { Handle } from './engine-context.ts';
import { toTaskFilter } from './task-filter.ts';
import type { TaskOperations, TaskSelection } from './task-operations.ts';

const MOST_COUNTED = 100_000;
const LONGEST_WAIT_MS = 3_600_000;
const TICK_MS = 1000;

const UNFINISHED = TASK_STATES.filter(
  (state) => !(FINAL_STATES as readonly TaskState[]).includes(state),
);

export function createWaitOperation(handle: Handle): TaskOperations['wait'] {
  const { clock, changes, namespace } = handle;
  return async ({ filter, timeoutMs }) => {
    checkWhole('timeoutMs', timeoutMs, { max: LONGEST_WAIT_MS });
    const deadline = clock.monotonicMs() + timeoutMs;
    for (;;) {
      const since = changes.mark(namespace);
      const unfinished = await countUnfinished(handle, filter);
      const left = deadline - clock.monotonicMs();
      if (unfinished === 0 || left <= 0) return { done: unfinished === 0, unfinished };
      await changes.next({ namespace, kind: 'any', since, ms: Math.min(left, TICK_MS) });
    }
  };
}

async function countUnfinished(handle: Handle, selection: TaskSelection): Promise<number> {
  const states = (selection.states ?? UNFINISHED).filter((state) => UNFINISHED.includes(state));
  if (states.length === 0) return 0;
  const { queues, states: _, ...others } = selection;
  if (Object.keys(others).length === 0) return countByQueue(handle, queues, states);
  const filter = await toTaskFilter(handle, { ...selection, states });
  let count = 0;
  let after: string | null = null;
  do {
    const page: { items: readonly unknown[]; next: string | null } = await handle.store.tasks.list(
      handle.namespace,
      { ...filter, sort: 'id', direction: 'asc', after, limit: 1000 },
      handle.step(),
    );
    count += page.items.length;
    after = page.next;
  } while (after !== null && count < MOST_COUNTED);
  return Math.min(count, MOST_COUNTED);
}

/** Whole queues are counted by their kept counters. */
async function countByQueue(
  handle: Handle,
  queues: readonly string[] | undefined,
  states: readonly TaskState[],
): Promise<number> {
  await toTaskFilter(handle, { ...(queues && { queues }) });
  const all = await handle.store.queues.counts(handle.namespace, handle.step());
  const wanted = queues ? all.filter(({ queue }) => queues.includes(queue)) : all;
  let count = 0;
  for (const { counts } of wanted) for (const state of states) count += counts[state];
  return Math.min(count, MOST_COUNTED);
}
