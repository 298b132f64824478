/**
 * Claims from a queue with keyed limits, where tasks beyond a limit are passed over for the next.
 *
 * A walk in claim order is all it takes while few tasks are beyond a limit. When many are, one
 * would pass them again with every claim: then the keys that wait are looked at, each once,
 * whatever the number of its tasks. Which is shorter nobody knows, so both are tried in turn,
 * further each time.
 */
import { type ClaimedTuple, TAKE_SQL, TAKEN_SQL, type Taking, takeValues } from './claim-take.ts';
import { beginLimited, createRooms, fromLimitKeys, type Rooms } from './keyed-limits.ts';
import { inOrder } from './ordered-merge.ts';
import type { QueueEntry } from './queue-cache.ts';
import type { Session } from './session.ts';

const CANDIDATE = 't.row, t.limit_keys, t.priority, hex(t.rank), hex(t.id)';
export const WALK_SQL = `
  select row, limit_keys from tasks
  where queue = ? and state = 0 order by priority desc, rank, id limit ?`;
// Jumps from key to key in tasks_limit_idx, and to the first task of each.
export const FIRST_OF_KEYS_SQL = `
  with recursive waiting (keys) as (
    select min(limit_keys) from tasks where queue = ?1 and state = 0 and limit_keys is not null
    union all
    select (
      select min(limit_keys) from tasks
      where queue = ?1 and state = 0 and limit_keys is not null and limit_keys > waiting.keys)
    from waiting where waiting.keys is not null limit ?2
  )
  select ${CANDIDATE} from waiting cross join tasks t on t.row = (
    select row from tasks
    where queue = ?1 and state = 0 and limit_keys is not null and limit_keys = waiting.keys
    order by priority desc, rank, id limit 1)`;
export const NEXT_OF_KEYS_SQL = `
  select ${CANDIDATE} from tasks t
  where t.queue = ? and t.state = 0 and t.limit_keys is not null and t.limit_keys = ?
  order by t.priority desc, t.rank, t.id limit ? offset ?`;
const TAKE_ROW_SQL = `${TAKE_SQL} where row = ? ${TAKEN_SQL}`;

type Waiting = readonly [row: number, limitKeys: string, ...unknown[]];
type Candidate = readonly [
  row: number,
  limitKeys: string,
  priority: number,
  rank: string,
  id: string,
];

export function claimLimited(
  session: Session,
  entry: QueueEntry,
  { call, wanted }: Taking,
): ClaimedTuple[] {
  const { db } = session;
  if (entry.isStuck) return [];
  const chosen = chooseWithin(session, entry, { wanted, now: call.now });
  const hasRate = entry.queue.limits.some(({ perMs }) => perMs !== null);
  entry.isStuck = chosen.length === 0 && !hasRate;

  const values = takeValues(entry, call);
  return chosen.flatMap(([row, limitKeys]) => {
    beginLimited(db, entry, limitKeys, call.now);
    return db.tuples<ClaimedTuple>(TAKE_ROW_SQL, [...values, row]);
  });
}

interface Choice {
  readonly wanted: number;
  readonly now: number;
}

function chooseWithin(session: Session, entry: QueueEntry, choice: Choice): Waiting[] {
  const least = 2 * choice.wanted + 100;
  // A short walk, then as many keys as there were the last time they were all looked at.
  const first = walk(session, entry, choice, least);
  if (first) return first;
  for (let most = Math.max(least, 2 * entry.keyCount); ; most *= 8) {
    const chosen = jump(session, entry, choice, most) ?? walk(session, entry, choice, 8 * most);
    if (chosen) return chosen;
  }
}

/** null: too few of the first tasks may be claimed, and there are more. */
function walk(
  { db }: Session,
  entry: QueueEntry,
  { wanted, now }: Choice,
  most: number,
): Waiting[] | null {
  const rooms = createRooms(db, entry, { now, readAll: false });
  const seen = db.tuples<Waiting>(WALK_SQL, [entry.row, most]);
  const chosen = choose(seen, rooms, wanted);
  return chosen.length === wanted || seen.length < most ? chosen : null;
}

/** null: there are more keys. */
function jump(
  session: Session,
  entry: QueueEntry,
  { wanted, now }: Choice,
  most: number,
): Waiting[] | null {
  const { db } = session;
  const firsts = db.tuples<Candidate>(FIRST_OF_KEYS_SQL, [entry.row, most]);
  if (firsts.length === most) return null;
  entry.keyCount = firsts.length;
  const rooms = createRooms(db, entry, { now, readAll: true });
  const sources = firsts
    .filter(([, limitKeys]) => rooms.of(fromLimitKeys(limitKeys)) > 0)
    .map((first) => tasksOf(session, entry, first, rooms));
  return choose(inOrder(sources, byPlace), rooms, wanted);
}

/** A key's tasks in claim order, as far as there is room for them. */
function* tasksOf(
  { db }: Session,
  { row }: QueueEntry,
  first: Candidate,
  rooms: Rooms,
): Generator<readonly Candidate[], void> {
  const [, limitKeys] = first;
  yield [first];
  for (let seen = 1; rooms.of(fromLimitKeys(limitKeys)) > 0; ) {
    const some = db.tuples<Candidate>(NEXT_OF_KEYS_SQL, [row, limitKeys, 8, seen]);
    yield some;
    if (some.length < 8) return;
    seen += some.length;
  }
}

/** Room only shrinks meanwhile, so keys without any are not looked at again. */
function choose(inOrder: Iterable<Waiting>, rooms: Rooms, wanted: number): Waiting[] {
  const chosen: Waiting[] = [];
  const full = new Set<string>();
  for (const one of inOrder) {
    const [, limitKeys] = one;
    if (full.has(limitKeys)) continue;
    const keys = fromLimitKeys(limitKeys);
    if (rooms.of(keys) < 1) {
      full.add(limitKeys);
      continue;
    }
    rooms.take(keys);
    chosen.push(one);
    if (chosen.length === wanted) break;
  }
  return chosen;
}

function byPlace(a: Candidate, b: Candidate): number {
  if (a[2] !== b[2]) return b[2] - a[2];
  if (a[3] !== b[3]) return a[3] < b[3] ? -1 : 1;
  return a[4] < b[4] ? -1 : 1;
}
