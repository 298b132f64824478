import type { NamespaceStore } from '../../core/store/index.ts';
import { namespaceLock } from './locks.ts';
import { markGone, moveGone } from './queue-deletion.ts';
import { listQueues } from './queue-lookup.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import type { Steps } from './steps.ts';

export function createNamespaceStore(steps: Steps): NamespaceStore {
  const { session } = steps;
  const { spaces } = session;
  return {
    list: () => steps.look(() => spaces.list()),
    ensure: (name, step) => steps.mutate(step, ({ now }) => spaces.ensure(name, now)),

    delete: (name, step) =>
      steps.mutate(step, async () => {
        // A queue that is made meanwhile must not be left in a namespace that is not there.
        return session.locks.hold([namespaceLock(name)], async () => {
          const isListed = (await spaces.list()).some((one) => one.name === name);
          if (!isListed) return 'missing';
          await emptySpace(spaces.get(name));
          await spaces.remove(name);
          return 'deleted';
        });
      }),
  };
}

/** Takes all queues away with their tasks, kept ones too, and all nodes. Repeatable. */
async function emptySpace(space: Space): Promise<void> {
  for (const queue of await listQueues(space)) await markGone(space, queue, 'delete');
  for (const { _id } of await space.queues.find().toArray()) await moveGone(space, _id);
  const kept = await space.goneQueues.find({ 'batchyard.gone': 'keep' }).toArray();
  for (const { _id } of kept) {
    await space.goneQueues.updateOne({ _id }, { $set: { 'batchyard.gone': 'delete' } });
    const due = { queue: _id, 'batchyard.due': { $exists: true } };
    await space.tasks.updateMany(due, { $unset: { 'batchyard.due': '' } });
  }
  await space.nodes.deleteMany({});
}

/** Finishes what a process that died in a deletion left. */
export async function finishDeletions({ spaces }: Session): Promise<void> {
  for (const space of await spaces.all()) {
    const left = await space.queues.find({ 'batchyard.gone': { $ne: null } } as object).toArray();
    for (const { _id } of left) await moveGone(space, _id);
  }
}
