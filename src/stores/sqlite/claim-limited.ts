/**
 * Claims from a queue with keyed limits, where tasks beyond a limit are passed over for the next.
 *
 * First a walk in claim order, which is all it takes while few tasks are beyond a limit. When
 * many are, the walk would pass them again with every claim; then the keys that wait are
 * looked at one by one, each once, whatever the number of its tasks.
 */
import { type ClaimedTuple, TAKE_SQL, TAKEN_SQL, type Taking, takeValues } from './claim-take.ts';
import { beginLimited, createRooms, fromLimitKeys, type Rooms } from './keyed-limits.ts';
import type { QueueEntry } from './queue-cache.ts';
import type { Session } from './session.ts';

export const WALK_SQL = `
  select row, limit_keys, priority, hex(rank), hex(id) from tasks
  where queue = ? and state = 0 order by priority desc, rank, id limit ?`;
// A jump from key to key in tasks_limit_idx, not a scan of its tasks.
export const NEXT_KEYS_SQL = `
  select limit_keys from tasks
  where queue = ? and state = 0 and limit_keys is not null and limit_keys > ?
  order by limit_keys limit 1`;
export const OF_KEYS_SQL = `
  select row, limit_keys, priority, hex(rank), hex(id) from tasks
  where queue = ? and state = 0 and limit_keys is not null and limit_keys = ?
  order by priority desc, rank, id limit ?`;
const TAKE_ROW_SQL = `${TAKE_SQL} where row = ? ${TAKEN_SQL}`;

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
  const rooms = createRooms(db, entry, call.now);
  const chosen = walk(session, entry, rooms, wanted) ?? jump(session, entry, call.now, wanted);
  const hasRate = entry.queue.limits.some(({ perMs }) => perMs !== null);
  entry.isStuck = chosen.length === 0 && !hasRate;

  const values = takeValues(entry, call);
  return chosen.flatMap(([row, limitKeys]) => {
    beginLimited(db, entry, limitKeys, call.now);
    return db.tuples<ClaimedTuple>(TAKE_ROW_SQL, [...values, row]);
  });
}

/** null: there are more tasks than the walk goes, and too few of those it saw may be claimed. */
function walk(
  { db }: Session,
  entry: QueueEntry,
  rooms: Rooms,
  wanted: number,
): Candidate[] | null {
  const length = 2 * wanted + 100;
  const seen = db.tuples<Candidate>(WALK_SQL, [entry.row, length]);
  const chosen = choose(seen, rooms, wanted);
  return chosen.length === wanted || seen.length < length ? chosen : null;
}

function jump({ db }: Session, entry: QueueEntry, now: number, wanted: number): Candidate[] {
  const rooms = createRooms(db, entry, now);
  const candidates: Candidate[] = [];
  for (let keys = nextKeys(db, entry, ''); keys !== null; keys = nextKeys(db, entry, keys)) {
    const room = Math.min(rooms.of(fromLimitKeys(keys)), wanted);
    if (room < 1) continue;
    candidates.push(...db.tuples<Candidate>(OF_KEYS_SQL, [entry.row, keys, room]));
  }
  return choose(candidates.sort(byPlace), rooms, wanted);
}

function nextKeys(db: Session['db'], { row }: QueueEntry, after: string): string | null {
  return db.tuples<[string]>(NEXT_KEYS_SQL, [row, after])[0]?.[0] ?? null;
}

function choose(inOrder: readonly Candidate[], rooms: Rooms, wanted: number): Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of inOrder) {
    if (chosen.length === wanted) break;
    const keys = fromLimitKeys(candidate[1]);
    if (rooms.of(keys) < 1) continue;
    rooms.take(keys);
    chosen.push(candidate);
  }
  return chosen;
}

function byPlace(a: Candidate, b: Candidate): number {
  if (a[2] !== b[2]) return b[2] - a[2];
  if (a[3] !== b[3]) return a[3] < b[3] ? -1 : 1;
  return a[4] < b[4] ? -1 : 1;
}
