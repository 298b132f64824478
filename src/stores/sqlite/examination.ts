import { type Finding, fine, problem, warning } from '../../core/store/index.ts';
import { STATES } from './codes.ts';
import type { Database } from './database.ts';

const READ_COUNTS_SQL = `select row, name, ${STATES.join(', ')} from queues order by row`;
const COUNT_SQL = 'select state, count(*) from tasks where queue = ? group by state';
const MB = 1024 * 1024;

/** What `batchyard doctor` says of the file. `fresh` is a new database of the same version. */
export function examineDatabase(db: Database, fresh: Database): Finding[] {
  return [
    examineIndexes(db, fresh),
    examineSpace(db),
    examineCounts(db),
    fine('versions', `SQLite ${versionOf(db)}, schema ${pragma(db, 'user_version')}.`),
  ];
}

function examineIndexes(db: Database, fresh: Database): Finding {
  const there = indexesOf(db);
  const missing = indexesOf(fresh).filter((name) => !there.includes(name));
  if (missing.length === 0) return fine('indexes', 'All indexes are there.');
  return problem(
    'indexes',
    `Indexes are missing: ${missing.join(', ')}.`,
    'Restore a backup, or copy the store to a new file: batchyard copy',
  );
}

function examineSpace(db: Database): Finding {
  const pageBytes = pragma(db, 'page_size');
  const size = Math.round((pragma(db, 'page_count') * pageBytes) / MB);
  const free = Math.round((pragma(db, 'freelist_count') * pageBytes) / MB);
  const text = `The file has ${size} MB, ${free} MB of them are free for new tasks.`;
  if (free < 1024 || free < size / 2) return fine('space', text);
  return warning('space', text, 'Stop the server and run sqlite3 FILE vacuum to give them back.');
}

function indexesOf(db: Database): string[] {
  const sql = "select name from sqlite_schema where type = 'index' and sql is not null";
  return db.all<{ name: string }>(sql).map(({ name }) => name);
}

/** Kept counters are worth what they are compared with. */
function examineCounts(db: Database): Finding {
  const wrong: string[] = [];
  for (const kept of db.all<Record<string, number | string>>(READ_COUNTS_SQL)) {
    const counted = new Map(db.tuples<readonly [number, number]>(COUNT_SQL, [Number(kept.row)]));
    const isRight = STATES.every((state, code) => kept[state] === (counted.get(code) ?? 0));
    if (!isRight) wrong.push(String(kept.name));
  }
  if (wrong.length === 0) return fine('counts', 'Kept counts are those of the tasks.');
  return problem('counts', `Counts are wrong in ${wrong.join(', ')}.`, 'Please report this.');
}

function pragma(db: Database, name: string): number {
  return db.get<Record<string, number>>(`pragma ${name}`)?.[name] ?? 0;
}

function versionOf(db: Database): string {
  return db.get<{ version: string }>('select sqlite_version() as version')?.version ?? '';
}
