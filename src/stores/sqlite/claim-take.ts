/** The write that takes tasks for a node, and what it needs to know of the call. */
import { CLAIMED, RUNNING } from './codes.ts';
import type { NodeEntry } from './node-cache.ts';
import type { QueueEntry } from './queue-cache.ts';

/** One claimed task as the claiming statement gives it: rank in hex sorts as its bytes do. */
export type ClaimedTuple = readonly [
  row: number,
  id: string,
  fence: number,
  claimCount: number,
  tryCount: number,
  roundCount: number,
  priority: number,
  rank: string,
  key: Uint8Array | null,
  labels: string | null,
  params: string,
];

export const TAKE_SQL = `
  update tasks set state = ?, fence = fence + 1, claim_count = claim_count + 1, node = ?, claim = ?,
    claimed_at = ?, started_at = ?, expires_at = ?, updated_at = ?`;
export const TAKEN_SQL = `
  returning row, lower(hex(id)), fence, claim_count, try_count, round_count, priority, hex(rank), key,
    labels, params`;

/** What all the tasks that a call takes have in common. */
export interface Call {
  readonly node: NodeEntry;
  readonly start: boolean;
  readonly leaseMs: number | null;
  /** Its number, when it may be repeated. */
  readonly claim: number | null;
  readonly now: number;
}

export interface Taking {
  readonly call: Call;
  readonly wanted: number;
}

/** The parameters of TAKE_SQL. */
export function takeValues(entry: QueueEntry, call: Call): (number | null)[] {
  const { node, claim, now, start } = call;
  return [stateOf(call), node.row, claim, now, start ? now : null, expiryOf(entry, call), now];
}

export const stateOf = ({ start }: Call): number => (start ? RUNNING : CLAIMED);

export function expiryOf({ queue }: QueueEntry, { leaseMs, now }: Call): number {
  return now + (leaseMs ?? queue.leaseMs);
}
