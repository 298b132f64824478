import { type NewTask, waitingPlace } from '../../core/store/index.ts';
import { HELD, QUEUED, toHoldCode, toStateCode } from './codes.ts';
import { toLimitKeys } from './keyed-limits.ts';
import type { QueueEntry } from './queue-entry.ts';
import type { TaskRow } from './rows.ts';
import { enqueue, tellReady } from './transitions.ts';
import { toDate, toHex, toLabelsText, toParamsText, toRankHex, toUniqueText } from './values.ts';
import { countMove, type Work } from './work.ts';

/** Adds a task that meets no other. */
export function insertTask(work: Work, entry: QueueEntry, task: NewTask): TaskRow {
  const { now } = work;
  const place = placeOf(entry, task, now);
  const row: TaskRow = {
    id: task.id,
    queue: entry.row,
    ...place,
    fence: 0,
    claimCount: 0,
    tryCount: 0,
    lossCount: 0,
    roundCount: 0,
    node: null,
    claim: null,
    claimedAt: null,
    startedAt: null,
    expiresAt: null,
    external: task.external,
    code: null,
    lastOutcome: null,
    cancelRequestedAt: null,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
    priority: task.priority,
    rank: toRankHex(task.rank),
    key: task.key && toHex(task.key),
    uniqueKey: task.unique && toUniqueText(task.unique.key),
    limitKeys: limitKeysFor(entry, task),
    labels: toLabelsText(task.labels),
    error: null,
    params: toParamsText(task.params),
    result: null,
  };
  work.tasks.set(row.id, row);
  work.added.add(row);
  countMove(work, entry.row, null, row.state);
  if (row.state === QUEUED) {
    if (row.external) enqueue(work, row);
    else tellReady(work, row);
  }
  return row;
}

/** null only in a queue without keyed limits: there no index of keys holds the task. */
export function limitKeysFor({ queue }: QueueEntry, { params }: Pick<NewTask, 'params'>) {
  return queue.limits.length === 0 ? null : toLimitKeys(queue.limits, params);
}

interface Place {
  readonly state: number;
  readonly hold: number | null;
  readonly notBefore: number | null;
}

/** Where a new task waits; an external one that would be queued runs instead. */
function placeOf(
  { queue }: QueueEntry,
  { hold, notBefore: given, delayMs }: NewTask,
  now: number,
): Place {
  const notBefore = delayMs === null ? (given?.getTime() ?? null) : now + delayMs;
  if (hold !== null) return { state: HELD, hold: toHoldCode(hold), notBefore };
  const place = waitingPlace(queue, toDate(notBefore), new Date(now));
  const reason = place.hold === null ? null : toHoldCode(place.hold);
  return { state: toStateCode(place.state), hold: reason, notBefore };
}
