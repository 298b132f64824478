import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEXT_ADMITTED_SQL } from '../../src/stores/sqlite/admission.ts';
import { CLAIM_SQL } from '../../src/stores/sqlite/claim.ts';
import {
  FIRST_OF_KEYS_SQL,
  NEXT_OF_KEYS_SQL,
  WALK_SQL,
} from '../../src/stores/sqlite/claim-limited.ts';
import { openDatabaseInMemory } from '../../src/stores/sqlite/database-file.ts';
import {
  DELAYED_SQL,
  EXPIRED_SQL,
  NEXT_DELAY_SQL,
  NEXT_LEASE_IN_SQL,
  NEXT_LEASE_SQL,
} from '../../src/stores/sqlite/due.ts';
import { RENEW, START } from '../../src/stores/sqlite/hold.ts';
import { FIND_LIVE } from '../../src/stores/sqlite/live-tasks.ts';
import type { ManyRows } from '../../src/stores/sqlite/many-rows.ts';
import { readMigrations } from '../../src/stores/sqlite/schema-migration.ts';

import { SAME_KEYS, UNIQUE_SQL } from '../../src/stores/sqlite/task-conflict.ts';
import { ADD_ATTEMPTS, FIND_TASK_SQL, SAVE_ENDED } from '../../src/stores/sqlite/task-rows.ts';
import { endedSql, keySql, openSql } from '../../src/stores/sqlite/task-sources.ts';
import { BEFORE_SQL, HIGHER_SQL, PURGE_SQL } from '../../src/stores/sqlite/task-store.ts';

const largestOf = ({ bySize }: ManyRows): string => bySize[0]?.sql ?? '';
const UP = { compare: '>', order: 'asc', after: 0 } as const;
const DOWN = { compare: '<', order: 'desc', after: 0 } as const;

/** Statements whose cost must not grow with the number of tasks, and the index that sees to it. */
const STATEMENTS: Record<string, readonly [sql: string, index: RegExp]> = {
  'find a task': [FIND_TASK_SQL, /tasks_id_idx/],
  claim: [CLAIM_SQL, /tasks_claim_idx/],
  'walk in claim order': [WALK_SQL, /tasks_claim_idx/],
  'jump from limit keys to limit keys': [
    FIRST_OF_KEYS_SQL,
    /tasks_limit_idx \(queue=\? AND limit_keys>\?\)[\s\S]*tasks_limit_idx \(queue=\? AND limit_keys=\?\)/,
  ],
  'take by limit keys': [NEXT_OF_KEYS_SQL, /tasks_limit_idx \(queue=\? AND limit_keys=\?\)/],
  'find what is settled': [largestOf(FIND_LIVE), /tasks_id_idx/],
  'save what ended': [largestOf(SAVE_ENDED), /INTEGER PRIMARY KEY/],
  'add attempts': [largestOf(ADD_ATTEMPTS), /INTEGER PRIMARY KEY/],
  start: [largestOf(START), /INTEGER PRIMARY KEY/],
  renew: [largestOf(RENEW), /INTEGER PRIMARY KEY/],
  expire: [EXPIRED_SQL, /tasks_lease_idx/],
  'the next lease': [NEXT_LEASE_SQL, /tasks_lease_idx/],
  'the next lease of a namespace': [NEXT_LEASE_IN_SQL, /tasks_lease_idx/],
  'ready delayed tasks': [DELAYED_SQL, /tasks_delay_idx/],
  'the next delay': [NEXT_DELAY_SQL, /tasks_delay_idx/],
  admit: [NEXT_ADMITTED_SQL, /tasks_held_idx/],
  'find tasks of the same keys': [largestOf(SAME_KEYS), /tasks_key_idx/],
  'find unique among the waiting': [UNIQUE_SQL.waiting, /tasks_unique_open_idx/],
  'find unique among the unfinished': [UNIQUE_SQL.unfinished, /tasks_unique_open_idx/],
  'find unique among all': [UNIQUE_SQL.forever, /tasks_unique_idx/],
  purge: [PURGE_SQL, /tasks_retention_idx/],
  'count what is more urgent': [HIGHER_SQL, /tasks_claim_idx/],
  'count what is before': [BEFORE_SQL, /tasks_claim_idx/],
  'list open tasks up': [openSql(UP), /tasks_open_idx/],
  'list open tasks down': [openSql(DOWN), /tasks_open_idx/],
  'list ended tasks up': [endedSql(UP), /tasks_ended_idx/],
  'list ended tasks down': [endedSql(DOWN), /tasks_ended_idx/],
  'list by key': [keySql(UP), /tasks_key_idx/],
};

describe('the plan to', () => {
  const { db, close } = openDatabaseInMemory(readMigrations());
  beforeAll(() => db.exec('analyze'));
  afterAll(close);

  it.each(Object.entries(STATEMENTS))(
    '%s searches an index, scans nothing and sorts nothing',
    (_, [sql, index]) => {
      const plan = db
        .all<{ detail: string }>(`explain query plan ${sql}`)
        .map(({ detail }) => detail);

      expect(
        plan.filter((line) => /^SCAN (?!\d+-ROW VALUES|\(subquery|waiting)|TEMP B-TREE/.test(line)),
      ).toEqual([]);
      expect(plan.join('\n')).toMatch(index);
    },
  );
});
