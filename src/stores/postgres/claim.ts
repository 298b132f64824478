import type { Claim, ClaimStep } from '../../core/store/index.ts';
import { toByteas } from './array-literal.ts';
import {
  allowsNode,
  type Claimer,
  findRepeated,
  isLimited,
  lockClaimer,
  numberCall,
  readRoom,
  rememberCall,
} from './claim-call.ts';
import { chooseWithin } from './claim-limited.ts';
import { lockLimits } from './locks.ts';
import { HERE, type QueueEntry } from './queue-entry.ts';
import { TASK_COLUMNS, type TaskRow, toClaim } from './rows.ts';
import { adopt, lockQueues } from './task-rows.ts';
import { beginAttempt } from './transitions.ts';
import type { Work } from './work.ts';
import { flush } from './work-flush.ts';

export const NEXT_SQL = `
  select ${TASK_COLUMNS} from tasks t
  where t.queue = $1 and t.state = 0 order by t.priority desc, t.rank, t.id limit $2
  for update skip locked`;
const CHOSEN_SQL = `
  select t.* from unnest($1::bytea[]) e(id) cross join lateral (
    select ${TASK_COLUMNS} from tasks t where t.id = e.id and t.state + 0 = 0
    limit 1 for update skip locked) t`;

/** A claim that looks at every limit; see claim-plain.ts for the short way. */
export async function claim(work: Work, request: ClaimStep, node: number): Promise<Claim[]> {
  const { db } = work;
  const { namespace, token, picks, limit } = request;
  const repeated = await findRepeated(work, node, token);
  if (repeated) return repeated;

  const entries = await lockQueues(
    work,
    picks.map(({ queueId }) => queueId),
  );
  const limited = [...entries.values()].filter(({ queue }) => isLimited(queue));
  await lockLimits(
    db,
    limited.map(({ row }) => row),
  );
  const claimer = await lockClaimer(db, node, request.node);
  const claims: Claim[] = [];
  const number = await numberCall(db, token);
  for (const { queueId, count } of picks) {
    const entry = entries.get(queueId);
    if (entry?.fate !== HERE || entry.queue.namespace !== namespace) continue;
    if (entry.queue.paused || !allowsNode(entry.queue, claimer)) continue;
    const room = await readRoom(db, entry, claimer);
    const wanted = Math.min(count, limit - claims.length, room);
    if (wanted < 1) continue;
    const taken = await takeTasks(work, entry, { request, claimer, wanted, claim: number });
    claims.push(...taken);
    await flush(work);
  }
  await rememberCall(db, { node, token, claim: number, claims });
  return claims;
}

interface Taking {
  readonly request: Pick<ClaimStep, 'start' | 'leaseMs'>;
  readonly claimer: Claimer;
  readonly wanted: number;
  readonly claim: number | null;
}

async function takeTasks(
  work: Work,
  entry: QueueEntry,
  { request, claimer, wanted, claim }: Taking,
): Promise<Claim[]> {
  const { db, now } = work;
  const rows =
    entry.queue.limits.length > 0
      ? await db.all<TaskRow>(CHOSEN_SQL, toByteas(await chooseWithin(db, { entry, wanted, now })))
      : await db.all<TaskRow>(NEXT_SQL, entry.row, wanted);
  const expiresAt = now + (request.leaseMs ?? entry.queue.leaseMs);
  return (await adopt(work, rows)).map((task) => {
    beginAttempt(work, task, { node: claimer.row, start: request.start, expiresAt, claim });
    return toClaim(task, entry.queue);
  });
}
