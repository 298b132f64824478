/**
 * Which tasks to claim from a queue with keyed limits, where tasks beyond a limit are passed over
 * for the next.
 *
 * A walk in claim order is all it takes while few tasks are beyond a limit. When many are, one
 * would pass them again with every claim: then the keys that wait are looked at, each once,
 * whatever the number of its tasks. Which is shorter nobody knows, so both are tried in turn,
 * further each time.
 */
import type { Statements } from './database.ts';
import { fromLimitKeys, type Rooms, readRooms } from './keyed-limits.ts';
import type { QueueEntry } from './queue-entry.ts';

interface Waiting {
  readonly id: string;
  readonly limitKeys: string | null;
  readonly priority: number;
  readonly rank: string;
}

const CANDIDATE = 't.id, t.limit_keys as "limitKeys", t.priority, t.rank';
export const WALK_SQL = `
  select ${CANDIDATE} from tasks t
  where t.queue = $1 and t.state = 0 order by t.priority desc, t.rank, t.id limit $2`;
// Jumps from key to key in tasks_limit_idx, and to the first tasks of each.
export const FIRST_OF_KEYS_SQL = `
  with recursive waiting (keys) as (
    (select t.limit_keys from tasks t
     where t.queue = $1 and t.state = 0 and t.limit_keys is not null
     order by t.limit_keys limit 1)
    union all
    select (
      select t.limit_keys from tasks t
      where t.queue = $1 and t.state = 0 and t.limit_keys is not null
        and t.limit_keys > waiting.keys
      order by t.limit_keys limit 1)
    from waiting where waiting.keys is not null
  ), named as (select keys from waiting where keys is not null limit $2)
  select t.* from named cross join lateral (
    select ${CANDIDATE} from tasks t
    where t.queue = $1 and t.state = 0 and t.limit_keys is not null and t.limit_keys = named.keys
    order by t.priority desc, t.rank, t.id limit 1) t`;
export const NEXT_OF_KEYS_SQL = `
  select ${CANDIDATE} from tasks t
  where t.queue = $1 and t.state = 0 and t.limit_keys is not null and t.limit_keys = $2
  order by t.priority desc, t.rank, t.id limit $3`;

export interface Choice {
  readonly entry: QueueEntry;
  readonly wanted: number;
  readonly now: number;
}

/** Ids in the order of claims; the queue's limits are locked. */
export async function chooseWithin(db: Statements, choice: Choice): Promise<string[]> {
  const least = 2 * choice.wanted + 100;
  const first = await walk(db, choice, least);
  if (first) return first;
  for (let most = least; ; most *= 8) {
    const chosen = (await jump(db, choice, most)) ?? (await walk(db, choice, 8 * most));
    if (chosen) return chosen;
  }
}

/** null: too few of the first tasks may be claimed, and there are more. */
async function walk(
  db: Statements,
  { entry, wanted, now }: Choice,
  most: number,
): Promise<string[] | null> {
  const rooms = await readRooms(db, entry, now);
  const seen = await db.all<Waiting>(WALK_SQL, entry.row, most);
  const chosen = choose(seen, rooms, wanted);
  return chosen.length === wanted || seen.length < most ? chosen : null;
}

/** null: there are more keys. */
async function jump(
  db: Statements,
  { entry, wanted, now }: Choice,
  most: number,
): Promise<string[] | null> {
  const firsts = await db.all<Waiting>(FIRST_OF_KEYS_SQL, entry.row, most);
  if (firsts.length === most) return null;
  const rooms = await readRooms(db, entry, now);
  const candidates: Waiting[] = [];
  for (const first of firsts) {
    const room = Math.min(wanted, rooms.of(fromLimitKeys(first.limitKeys)));
    if (room === 1) candidates.push(first);
    if (room <= 1) continue;
    const values = [entry.row, first.limitKeys, room];
    candidates.push(...(await db.all<Waiting>(NEXT_OF_KEYS_SQL, ...values)));
  }
  return choose(candidates.sort(byPlace), rooms, wanted);
}

function choose(inOrder: Iterable<Waiting>, rooms: Rooms, wanted: number): string[] {
  const chosen: string[] = [];
  for (const { id, limitKeys } of inOrder) {
    const keys = fromLimitKeys(limitKeys);
    if (rooms.of(keys) < 1) continue;
    rooms.take(keys);
    chosen.push(id);
    if (chosen.length === wanted) break;
  }
  return chosen;
}

function byPlace(a: Waiting, b: Waiting): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
