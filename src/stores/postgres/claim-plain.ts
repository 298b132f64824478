/** Claims from queues without limits: one call of one function of the server. */
import type { Claim, ClaimStep, Step } from '../../core/store/index.ts';
import { toNumbers } from './array-literal.ts';
import { isLimited } from './claim-call.ts';
import { CLAIMED, RUNNING } from './codes.ts';
import type { QueueEntry } from './queue-entry.ts';
import { msOf, type Steps } from './steps.ts';
import { fromKeyHex, fromLabelsText, toQuoted } from './values.ts';

export const CLAIM_PLAIN_SQL =
  'select * from claim_plain($1, $2, $3, $4, $5, $6, $7::int4[], $8::int4[], $9::int4[], $10::int8[])';

interface ClaimedRow {
  readonly status: number;
  readonly claimed_at: number;
  readonly queue: number;
  readonly id: string;
  readonly fence: number;
  readonly claim_count: number;
  readonly try_count: number;
  readonly round_count: number;
  readonly priority: number;
  readonly key: string | null;
  readonly labels: string | null;
  readonly params: string;
}

const DUE_FIRST = 1;
const SEEN_BEFORE = 2;
const LIMITED_NODE = 3;
const STALE = 4;

interface PlainPick {
  readonly entry: QueueEntry;
  readonly count: number;
  readonly leaseMs: number;
}

export type PlainAnswer =
  | { readonly status: 'claimed'; readonly claims: Claim[] }
  /** Due: what is due comes first. Other: this way is not for it. */
  | { readonly status: 'due' | 'other' };

export interface PlainClaim {
  readonly request: ClaimStep;
  /** The node's row. */
  readonly node: number;
  /** What is due was dealt with for this call. */
  readonly isRolled: boolean;
}

export async function claimPlain(
  { database, queues }: Steps,
  { request, node, isRolled }: PlainClaim,
  step: Step,
): Promise<PlainAnswer> {
  const { token, limit, start } = request;
  const entries = await queues.find(request.picks.map(({ queueId }) => queueId));
  const picks = toPlainPicks(request, entries);
  if (!picks) return { status: 'other' };
  const rows = await database.step<ClaimedRow>(
    CLAIM_PLAIN_SQL,
    [
      msOf(step),
      node,
      token && toQuoted(token),
      isRolled,
      start ? RUNNING : CLAIMED,
      limit,
      toNumbers(picks.map(({ entry }) => entry.row)),
      toNumbers(picks.map(({ entry }) => entry.queue.revision)),
      toNumbers(picks.map(({ count }) => count)),
      toNumbers(picks.map(({ leaseMs }) => leaseMs)),
    ],
    token !== null,
  );
  const [first] = rows;
  if (first?.status === DUE_FIRST) return { status: 'due' };
  if (first?.status === STALE) queues.forget([...entries.keys()]);
  if (first && [SEEN_BEFORE, LIMITED_NODE, STALE].includes(first.status)) {
    return { status: 'other' };
  }
  const byRow = new Map(picks.map((pick) => [pick.entry.row, pick]));
  return { status: 'claimed', claims: rows.map((row) => toClaim(row, byRow)) };
}

/** Picks that can give something; null when one is of a queue with limits. */
function toPlainPicks(
  { namespace, node, picks, leaseMs }: ClaimStep,
  entries: ReadonlyMap<string, QueueEntry>,
): PlainPick[] | null {
  const plain: PlainPick[] = [];
  for (const { queueId, count } of picks) {
    const entry = entries.get(queueId);
    // What is known may be old: that nothing can be had is for the server to say.
    if (!entry || entry.queue.namespace !== namespace || entry.queue.paused) return null;
    if (isLimited(entry.queue)) return null;
    const { nodesOnly, nodesNot } = entry.queue;
    if ((nodesOnly !== null && !nodesOnly.includes(node)) || nodesNot.includes(node)) return null;
    plain.push({ entry, count, leaseMs: leaseMs ?? entry.queue.leaseMs });
  }
  return plain;
}

function toClaim(row: ClaimedRow, picks: ReadonlyMap<number, PlainPick>): Claim {
  const pick = picks.get(row.queue);
  if (!pick) throw new Error(`A claim is from queue ${row.queue}, which was not asked for.`);
  const { queue } = pick.entry;
  return {
    taskId: row.id,
    queueId: queue.id,
    queue: queue.name,
    key: fromKeyHex(row.key),
    params: JSON.parse(row.params),
    priority: row.priority,
    labels: fromLabelsText(row.labels),
    fence: row.fence,
    claimCount: row.claim_count,
    tryCount: row.try_count,
    roundCount: row.round_count,
    claimedAt: new Date(row.claimed_at),
    expiresAt: new Date(row.claimed_at + pick.leaseMs),
  };
}
