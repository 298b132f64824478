/** The plainest copy: page by page, with nothing changed on the way. */
import { expect } from 'vitest';
import type { ArchivedTask, PutAnswer, Store } from '../../../src/core/store/index.ts';
import { at, NOON } from '../../support/builders.ts';
import { walkPages } from './store-reading.ts';

export const NOTHING_PUT = { put: 0, 'key-taken': 0 };

/** Two to a page, so that pages matter. */
export function listArchived(
  store: Store,
  { id: queueId }: { id: string },
  namespace = 'default',
): Promise<ArchivedTask[]> {
  return walkPages(2, (after) =>
    store.archive.listTasks({ namespace, queueId, after, limit: 2, limitBytes: 1e6 }),
  );
}

export async function copyQueues(from: Store, to: Store) {
  const queues = await walkPages(2, (after) =>
    from.archive.listQueues('default', { after, limit: 2 }),
  );
  for (const queue of queues) {
    expect(await to.archive.putQueue(queue, at(NOON))).not.toBe('name-taken');
  }
  return queues;
}

/** Says how many tasks were put and refused. */
export async function copyAll(from: Store, to: Store, now = NOON) {
  const answers: PutAnswer[] = [];
  for (const { queue } of await copyQueues(from, to)) {
    const tasks = await listArchived(from, queue);
    const put = { namespace: 'default', queueId: queue.id, tasks };
    const answer = await to.archive.putTasks(put, at(now));
    if (answer === 'missing-queue') throw new Error(`No queue ${queue.id}`);
    answers.push(...answer);
    for (const { task, outputFences } of tasks) {
      for (const fence of outputFences) await copyOutput(from, to, { taskId: task.id, fence });
    }
  }
  const count = (wanted: PutAnswer) => answers.filter((answer) => answer === wanted).length;
  return { put: count('put'), 'key-taken': count('key-taken') };
}

async function copyOutput(
  from: Store,
  to: Store,
  attempt: { readonly taskId: string; readonly fence: number },
) {
  const chunks = await from.outputs.read({ ...attempt, after: 0, limitBytes: 1e6 });
  const put = { ...attempt, namespace: 'default', chunks };
  expect(await to.archive.putOutput(put, at(NOON))).toBe('kept');
}

/** The task under a higher fence. */
export function restored(archived: ArchivedTask, fence: number): ArchivedTask {
  const { task } = archived;
  return { ...archived, task: { ...task, fence: task.fence + fence } };
}
