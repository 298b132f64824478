/** Claims that may be repeated: what a call took is written down under its token. */
import type { Claim } from '../../core/store/index.ts';
import { manyRows, readRows } from './many-rows.ts';
import type { NodeEntry } from './node-cache.ts';
import { type TaskRow, toClaim, toQuoted } from './rows.ts';
import type { Session } from './session.ts';
import { getTaskByRow } from './task-rows.ts';

interface TokenHolder {
  readonly node: string;
  readonly token: string | null;
}

const FIND_SQL = 'select row, tasks from claims where node = ? and token = ? and until > ?';
const KEEP_SQL = `
  insert or replace into claims (row, node, token, until, tasks) values (?, ?, ?, ?, ?)`;
const HELD = manyRows(
  2,
  (rows) => `
  select t.row from (values ${rows}) e cross join tasks t on t.row = e.column1
  where t.claim = e.column2 and t.state + 0 in (3, 4)`,
);

/** What a call with this token took and still holds, in the order taken; null when it is not known. */
export function findRepeated(
  session: Session,
  namespace: string,
  { node: name, token }: TokenHolder,
  now: number,
): Claim[] | null {
  if (token === null) return null;
  const node = session.nodes.find(namespace, name);
  if (!node) return null;
  const call = session.db.get<{ row: number; tasks: string }>(
    FIND_SQL,
    node.row,
    toQuoted(token),
    now,
  );
  if (!call) return null;
  const taken: number[] = JSON.parse(call.tasks);
  const pairs = taken.flatMap((row) => [row, call.row]);
  const held = new Set(readRows<readonly [number]>(session.db, HELD, pairs).map(([row]) => row));
  const tasks: TaskRow[] = taken
    .filter((row) => held.has(row))
    .map((row) => getTaskByRow(session, row));
  return tasks.map((task) => toClaim(session, task));
}

/** A number for a call, never used before: tasks keep that of theirs. */
export function numberCall(session: Session): number {
  session.lastCall += 1;
  return session.lastCall;
}

export interface Taken {
  /** The call's number. */
  readonly call: number;
  readonly node: NodeEntry;
  readonly token: string;
  /** Rows of the tasks, in the order taken. */
  readonly rows: readonly number[];
  /** The end of the last lease it gave; until then it is remembered. */
  readonly until: number;
}

export function rememberCall({ db }: Session, { call, node, token, rows, until }: Taken): void {
  db.run(KEEP_SQL, call, node.row, toQuoted(token), until, JSON.stringify(rows));
}
