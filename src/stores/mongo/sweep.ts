import { forgetCalls } from './claim-token.ts';
import { addPending, rollForward } from './emission.ts';
import { fromDocumentId } from './ids.ts';
import { queueLock } from './locks.ts';
import { finishDeletions } from './namespace-store.ts';
import { fromQueueDocument } from './queue-document.ts';
import { upheave } from './queue-upheaval.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import type { Steps } from './steps.ts';
import { createWork } from './transitions.ts';

const EVERY_MS = 1000;
/** Younger than this, a process is most likely still at it. */
const LEFT_MS = 1000;
const AT_ONCE = 100;

export interface Sweep {
  stop(): Promise<void>;
}

/** Finishes what processes that died left half done: emissions, changes of queues, deletions. */
export function createSweep(steps: Steps): Sweep {
  const { session } = steps;
  let timer: Disposable | null = null;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  function wait(): void {
    timer = session.clock.after(EVERY_MS, () => {
      running = sweep(steps)
        // It runs again soon, and steps say what is wrong with the server.
        .catch(() => {})
        .then(() => {
          if (!isStopped) wait();
        });
    });
  }
  wait();

  return {
    async stop() {
      isStopped = true;
      timer?.[Symbol.dispose]();
      await running;
    },
  };
}

function sweep(steps: Steps): Promise<void> {
  const { session } = steps;
  return steps.look(async () => {
    const before = new Date((await session.time.now()) - LEFT_MS);
    for (const space of await session.spaces.all()) {
      await finishEmissions(session, space, before);
      await finishUpheavals(session, space, before);
      await finishIntents(session, space, before);
      await forgetCalls(space, before.getTime());
    }
    await finishDeletions(session);
  });
}

async function finishEmissions(session: Session, space: Space, before: Date): Promise<void> {
  const left = await space.tasks
    .find({ 'batchyard.pendingAt': { $lt: before } }, { projection: { _id: 1 } })
    .limit(AT_ONCE)
    .toArray();
  for (const { _id } of left) {
    const work = createWork(before.getTime());
    await rollForward(session, { space, taskId: fromDocumentId(_id) }, work);
    session.tell(work.changes);
  }
}

async function finishUpheavals(session: Session, space: Space, before: Date): Promise<void> {
  const filter = { 'batchyard.pendingAt': { $lt: before } };
  for (const { _id } of await space.queues.find(filter).toArray()) {
    await session.locks.hold([queueLock({ id: fromDocumentId(_id) })], async () => {
      const document = await space.queues.findOne({ _id, ...filter });
      if (!document) return;
      const queue = fromQueueDocument(document, space.namespace);
      const kinds = document.batchyard?.pending ?? [];
      const at = document.batchyard?.pendingAt ?? before;
      const work = createWork(at.getTime());
      await upheave(session, { space, queue, kinds }, work);
      session.tell(work.changes);
    });
  }
}

async function finishIntents(session: Session, space: Space, before: Date): Promise<void> {
  const left = await space.intents
    .find({ now: { $lt: before } })
    .limit(AT_ONCE)
    .toArray();
  for (const { _id, now, tasks } of left) {
    const work = createWork(now.getTime());
    await addPending(session, { space, texts: tasks }, work);
    await space.intents.deleteOne({ _id });
    session.tell(work.changes);
  }
}
