import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { openDatabaseFile } from '../../src/stores/sqlite/database-file.ts';
import { readMigrations } from '../../src/stores/sqlite/schema-migration.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();
const FIRST = 'create table notes (text text); ';
const SECOND = 'alter table notes add column at int';

function openAt(file: string, migrations: readonly string[]) {
  const { db, close } = openDatabaseFile(file, null, migrations);
  return { db, [Symbol.dispose]: close };
}

function notesIn(file: string): unknown[] {
  const db = openDatabase(file);
  const notes = db.all('select * from notes').map((note) => ({ ...(note as object) }));
  db.close();
  return notes;
}

describe('migrations', () => {
  it('bring an older file up to date, and keep a copy of it as it was', () => {
    const file = folder.newFile();
    {
      using old = openAt(file, [FIRST]);
      old.db.run("insert into notes values ('kept')");
    }

    {
      using _new = openAt(file, [FIRST, SECOND]);
    }

    expect(notesIn(file)).toEqual([{ text: 'kept', at: null }]);
    expect(notesIn(`${file}.schema-1`)).toEqual([{ text: 'kept' }]);
  });

  it('keep no copy of a file that is new or up to date', () => {
    const file = folder.newFile();

    for (let times = 0; times < 2; times++) {
      using _opened = openAt(file, [FIRST, SECOND]);
    }

    expect(existsSync(`${file}.schema-0`)).toBe(false);
    expect(existsSync(`${file}.schema-2`)).toBe(false);
  });

  it('leave the file at the version before one that fails', () => {
    const file = folder.newFile();
    {
      using _old = openAt(file, [FIRST]);
    }

    expect(() =>
      openAt(file, [FIRST, SECOND, `insert into notes (text) values ('x'); broken`]),
    ).toThrow();

    using again = openAt(file, [FIRST, SECOND]);
    expect(again.db.all('select * from notes')).toEqual([]);
  });
});

describe('a SQLite connection', () => {
  it('syncs every commit, also to a file that was there before', () => {
    const file = folder.newFile();

    for (let times = 0; times < 2; times++) {
      using opened = openAt(file, readMigrations());
      expect(opened.db.get('pragma synchronous')).toEqual({ synchronous: 2 });
      expect(opened.db.get('pragma journal_mode')).toEqual({ journal_mode: 'wal' });
    }
  });
});
