/** Which claims a call gave, so that it can be repeated. */
import type { Collection } from 'mongodb';
import type { Claim } from '../../core/store/index.ts';
import { fromDocumentId } from './ids.ts';
import { takeOver } from './locks.ts';
import { isDuplicateKey } from './mongo-error.ts';
import { findTasks } from './queue-lookup.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { LIVE } from './status-codes.ts';
import { type TaskRecord, toClaim } from './task-record.ts';
import { toStoredText } from './texts.ts';

interface CallDocument {
  readonly _id: { readonly node: string; readonly token: string };
  readonly call?: string;
  readonly until?: Date;
  readonly taskIds?: readonly string[];
  /** Who is at it. */
  readonly holder?: string;
  readonly lockedUntil?: Date;
  /** By the server's clock, whatever the step was told. */
  readonly keptAt?: Date;
}

export interface Caller {
  readonly node: string;
  readonly token: string | null;
}

function callsOf({ db }: Space): Collection<CallDocument> {
  return db.collection('batchyard.calls');
}

function idOf({ node, token }: Caller): CallDocument['_id'] {
  return { node: toStoredText(node), token: toStoredText(token ?? '') };
}

/**
 * Runs a call alone under its token and remembers what it gave; a token that was seen gives what
 * that call got and still holds. Without a token, it just runs.
 */
export async function runCall(
  session: Session,
  { space, caller, now }: { readonly space: Space; readonly caller: Caller; readonly now: number },
  run: (call: string) => Promise<Claim[]>,
): Promise<Claim[]> {
  const { token, node } = caller;
  const unique = session.newToken();
  if (token === null) return run(unique);
  const call = `${unique} ${toStoredText(token)}`;
  return session.locks.holdLocally(`call:${node}\n${token}`, async () => {
    const before = await takeCall(session, space, caller, unique);
    const seen = await findSeen(space, { caller, now, before });
    const claims = seen ?? (await run(call));
    await rememberCall(space, { caller, before, seen, call, claims, now });
    return claims;
  });
}

/** The memory of the token, locked: another process may be asked the same at the same time. */
async function takeCall(
  { clock }: Session,
  space: Space,
  caller: Caller,
  holder: string,
): Promise<CallDocument> {
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 100)) {
    try {
      const found = await callsOf(space).findOneAndUpdate({ _id: idOf(caller) }, takeOver(holder), {
        upsert: true,
        returnDocument: 'after',
      });
      if (found?.holder === holder) return found;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    await clock.sleep(waitMs);
  }
}

async function findSeen(
  space: Space,
  { caller, now, before }: { caller: Caller; now: number; before: CallDocument },
): Promise<Claim[] | null> {
  const { call, until, taskIds = [] } = before;
  if (call === undefined || until === undefined || until.getTime() <= now) {
    return findUnremembered(space, caller, { now, before: call ?? null });
  }
  const tasks = await findTasks(space, taskIds);
  return taskIds.flatMap((id) => claimsOf(tasks.get(id), call));
}

function claimsOf(task: TaskRecord | undefined, call: string): Claim[] {
  return task?.live?.call === call ? [toClaim(task, task.live)] : [];
}

/** A call that claimed, and died before it could be remembered. */
async function findUnremembered(
  space: Space,
  caller: Caller,
  { now, before }: { readonly now: number; readonly before: string | null },
): Promise<Claim[] | null> {
  const held = { node: caller.node, status: { $in: LIVE as number[] } };
  const documents = await space.tasks
    .find({ ...held, 'batchyard.live.expiresAt': { $gt: new Date(now) } })
    .project<{ _id: never; batchyard: { live: { call?: string } } }>({ 'batchyard.live.call': 1 })
    .toArray();
  const ending = ` ${toStoredText(caller.token ?? '')}`;
  const ids = documents
    .filter(({ batchyard: { live } }) => live.call?.endsWith(ending) && live.call !== before)
    .map(({ _id }) => fromDocumentId(_id));
  if (ids.length === 0) return null;
  const claims = [...(await findTasks(space, ids)).values()].flatMap((task) =>
    task.live ? [toClaim(task, task.live)] : [],
  );
  return claims.length === 0 ? null : claims;
}

interface Call {
  readonly caller: Caller;
  readonly before: CallDocument;
  readonly seen: readonly Claim[] | null;
  readonly call: string;
  readonly claims: readonly Claim[];
  readonly now: number;
}

/** A call that gave nothing is not remembered at all. */
async function rememberCall(space: Space, { caller, before, seen, call, claims, now }: Call) {
  const filter = { _id: idOf(caller), holder: before.holder };
  if (seen === null && claims.length > 0) {
    const until = Math.max(now, ...claims.map(({ expiresAt }) => expiresAt.getTime()));
    const taskIds = claims.map(({ taskId }) => taskId);
    const keptAt = before.lockedUntil;
    await callsOf(space).replaceOne(filter, { call, until: new Date(until), taskIds, keptAt });
  } else if (before.call === undefined) await callsOf(space).deleteOne(filter);
  else await callsOf(space).updateOne(filter, { $unset: { holder: '', lockedUntil: '' } });
}

const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/** Forgets calls whose leases are long over. Most of the time there are none. */
export async function forgetCalls(space: Space, now: number): Promise<void> {
  const longAgo = { $lt: new Date(now - FORGOTTEN_AFTER_MS) };
  const over = { keptAt: longAgo, until: longAgo };
  const calls = callsOf(space);
  if ((await calls.findOne(over, { projection: { _id: 1 } })) !== null)
    await calls.deleteMany(over);
}
