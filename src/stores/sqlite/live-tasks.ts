import type { AttemptRef } from '../../core/store/index.ts';
import type { FreshClaim } from './fresh-claims.ts';
import { manyRows, readRows } from './many-rows.ts';
import { HIDDEN } from './queue-cache.ts';
import { type TaskCore, toIdBytes } from './rows.ts';
import type { Session } from './session.ts';

// Probes by id, whatever the tables' sizes: cross join keeps the values outside.
export const FIND_LIVE = manyRows(
  1,
  (rows) => `
  select t.row, lower(hex(t.id)), t.queue, t.state, t.fence, t.claim_count, t.try_count,
    t.loss_count, t.round_count, t.node, t.expires_at, t.not_before, t.external,
    t.cancel_requested_at, t.limit_keys, t.result
  from (values ${rows}) e cross join tasks t on t.id = e.column1 where t.state + 0 in (3, 4)`,
);

type LiveTuple = readonly [
  row: number,
  id: string,
  queue: number,
  state: number,
  fence: number,
  claimCount: number,
  tryCount: number,
  lossCount: number,
  roundCount: number,
  node: number,
  expiresAt: number | null,
  notBefore: number | null,
  external: number,
  cancelRequestedAt: number | null,
  limitKeys: string | null,
  result: string | null,
];

/** The tasks that are live, by id; all are read at once, to be written. */
export function findLiveTasks(
  { db, queues, fresh }: Session,
  namespace: string,
  items: readonly AttemptRef[],
): Map<string, TaskCore> {
  const found = new Map<string, TaskCore>();
  for (const { taskId } of items) fresh.take(taskId);
  const ids = items.map(({ taskId }) => toIdBytes(taskId));
  for (const tuple of readRows<LiveTuple>(db, FIND_LIVE, ids)) {
    const { fate, queue } = queues.getByRow(tuple[2]);
    if (fate !== HIDDEN && queue.namespace === namespace) found.set(tuple[1], toCore(tuple));
  }
  return found;
}

/** What is not read is what the end of an attempt sets anyway; until then such a row is not saved. */
function toCore(tuple: LiveTuple): TaskCore {
  return {
    row: tuple[0],
    id: tuple[1],
    queue: tuple[2],
    state: tuple[3],
    hold: null,
    fence: tuple[4],
    claimCount: tuple[5],
    tryCount: tuple[6],
    lossCount: tuple[7],
    roundCount: tuple[8],
    node: tuple[9],
    claim: null,
    claimedAt: null,
    startedAt: null,
    expiresAt: tuple[10],
    notBefore: tuple[11],
    external: tuple[12],
    code: null,
    lastOutcome: null,
    cancelRequestedAt: tuple[13],
    updatedAt: 0,
    endedAt: null,
    limitKeys: tuple[14],
    error: null,
    result: tuple[15],
  };
}

/** The same for a task that was claimed a moment ago: it had no result, and no request to cancel. */
export function fromFresh(id: string, { row, queue, state, fence, tryCount, node }: FreshClaim) {
  const core: TaskCore = {
    row,
    id,
    queue,
    state,
    hold: null,
    fence,
    claimCount: 0,
    tryCount,
    lossCount: 0,
    roundCount: 0,
    node,
    claim: null,
    claimedAt: null,
    startedAt: null,
    expiresAt: null,
    notBefore: null,
    external: 0,
    code: null,
    lastOutcome: null,
    cancelRequestedAt: null,
    updatedAt: 0,
    endedAt: null,
    limitKeys: null,
    error: null,
    result: null,
  };
  return core;
}
