import type { NewTask } from '../../core/store/index.ts';
import { isFinalCode, isLiveCode, toHoldCode } from './codes.ts';
import type { QueueEntry } from './queue-entry.ts';
import type { TaskRow } from './rows.ts';
import { limitKeysFor } from './task-insert.ts';
import { hold, letWait, tellReady, waitAnew } from './transitions.ts';
import { toLabelsText, toParamsText, toRankHex, toUniqueText } from './values.ts';
import { markChanged, type Work } from './work.ts';

/** Gives a task the content of a new one; a finished one waits again, as new. */
export function replaceTask(
  work: Work,
  entry: QueueEntry,
  { met, task }: { readonly met: TaskRow; readonly task: NewTask },
): void {
  const { now } = work;
  met.params = toParamsText(task.params);
  met.priority = task.priority;
  met.labels = toLabelsText(task.labels);
  met.result = null;
  met.notBefore = task.delayMs === null ? (task.notBefore?.getTime() ?? null) : now + task.delayMs;
  met.updatedAt = now;
  markChanged(work, met);
  if (!isLiveCode(met.state)) {
    met.limitKeys = limitKeysFor(entry, task);
    tellReady(work, met);
  }
  if (isFinalCode(met.state)) waitAsNew(work, met, task);
  else waitAnew(work, met);
}

function waitAsNew(work: Work, met: TaskRow, task: NewTask): void {
  met.external = task.external;
  met.rank = toRankHex(task.rank);
  met.uniqueKey = task.unique && toUniqueText(task.unique.key);
  Object.assign(met, { error: null, code: null, cancelRequestedAt: null, fence: met.fence + 1 });
  Object.assign(met, { claimCount: 0, tryCount: 0, lossCount: 0, roundCount: 0 });
  if (task.hold === null) letWait(work, met);
  else hold(work, met, toHoldCode(task.hold));
}
