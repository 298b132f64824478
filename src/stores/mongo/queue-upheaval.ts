/** What a change of a queue's settings does to its tasks. Safe to run again after a crash. */
import { isFinal } from '../../core/store/index.ts';
import { fromDocumentId } from './ids.ts';
import type { TaskUpheaval } from './queue-document.ts';
import type { QueueRecord } from './queue-record.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { LIVE, statusFilter, toStatus } from './status-codes.ts';
import { rankAnew } from './task-move.ts';
import { changeTasks } from './task-saving.ts';
import { keysOf, letWait, type Work } from './transitions.ts';

const AT_ONCE = 1000;

export interface Upheaval {
  readonly space: Space;
  readonly queue: QueueRecord;
  readonly kinds: readonly TaskUpheaval[];
}

export async function upheave(
  session: Session,
  { space, queue, kinds }: Upheaval,
  work: Work,
): Promise<void> {
  if (kinds.length > 0) {
    for await (const ids of affected(space, queue, kinds)) {
      await changeTasks(space, ids, {
        write: session.newToken(),
        act(task) {
          if (!task) return;
          if (kinds.includes('rank') && !isFinal(task.state)) task.rank = rankAnew(task);
          if (kinds.includes('limit') && task.live) task.live.limitKeys = keysOf(task);
          if (kinds.includes('open') && task.hold === 'admission') letWait(work, task);
        },
      });
    }
    await addStarts(space, work);
  }
  const done = { $unset: { 'batchyard.pending': '', 'batchyard.pendingAt': '' } } as const;
  await space.queues.updateOne(
    { _id: queue.documentId, 'batchyard.revision': queue.revision },
    done,
  );
}

async function* affected(
  { tasks }: Space,
  { documentId }: QueueRecord,
  kinds: readonly TaskUpheaval[],
): AsyncGenerator<string[]> {
  const open = statusFilter(['queued', 'delayed', 'held', 'claimed', 'running']);
  const wanted: object[] = [];
  if (kinds.includes('limit')) wanted.push({ status: { $in: LIVE } });
  if (kinds.includes('open'))
    wanted.push({ status: toStatus('held', null), 'batchyard.hold': 'admission' });
  const some = kinds.includes('rank') ? open : { $or: wanted };
  const filter = { $and: [{ queue: documentId }, some] } as object;
  let ids: string[] = [];
  for (const { _id } of await tasks.find(filter, { projection: { _id: 1 } }).toArray()) {
    ids.push(fromDocumentId(_id));
    if (ids.length < AT_ONCE) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}
