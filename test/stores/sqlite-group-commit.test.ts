import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Claim } from '../../src/core/store/index.ts';
import { createChanges } from '../../src/stores/sqlite/changes.ts';
import { type Database, openDatabase } from '../../src/stores/sqlite/database.ts';
import { manyRows } from '../../src/stores/sqlite/many-rows.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { createWriter } from '../../src/stores/sqlite/writer.ts';
import { addQueue } from '../conformance/store/store-reading.ts';
import { aClaim, aNewTask } from '../support/builders.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

/** A writer on a file with one table of notes, and a record of what it did. */
function openNotes({ onCommit = () => {} }: { onCommit?: () => void } = {}) {
  const file = folder.newFile();
  const real = openDatabase(file);
  real.exec('pragma journal_mode = wal; create table notes (text text unique)');
  const events: string[] = [];
  const db: Database = {
    ...real,
    run(sql, ...values) {
      if (sql === 'commit') onCommit();
      const changes = real.run(sql, ...values);
      if (sql === 'commit') events.push(sql);
      return changes;
    },
    rollBack() {
      real.rollBack();
      events.push('rollback');
    },
  };
  const writer = createWriter({
    db,
    clock: systemClock,
    file: 'notes.db',
    changes: createChanges(),
    flush: () => {},
    reload: () => events.push('reload'),
  });
  return {
    db,
    file,
    events,
    writer,
    write: (text: string) => writer.enqueue(() => db.run('insert into notes values (?)', text)),
    read: () => real.all<{ text: string }>('select text from notes').map(({ text }) => text),
  };
}

describe('a group commit', () => {
  it('is one for all steps of a turn, and they are answered after it', async () => {
    const { events, write, read } = openNotes();

    await Promise.all(
      ['a', 'b', 'c'].map((text) => write(text).then(() => events.push(`told ${text}`))),
    );

    expect(events).toEqual(['commit', 'told a', 'told b', 'told c']);
    expect(read()).toEqual(['a', 'b', 'c']);
  });

  it('lets a step that fails fail alone, with all it did', async () => {
    const { db, events, writer, write, read } = openNotes();

    const answers = await Promise.allSettled([
      write('a'),
      writer.enqueue(() => {
        db.run("insert into notes values ('half')");
        throw new Error('a bug');
      }),
      write('b'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(read()).toEqual(['a', 'b']);
    expect(events.slice(0, 2)).toEqual(['rollback', 'reload']);
  });

  it('writes the rows of several steps together, before anything else is run', async () => {
    const { db, writer, read } = openNotes();
    const rows = manyRows(1, (values) => `insert into notes values ${values}`);
    const seen: unknown[] = [];

    await Promise.all([
      writer.enqueue(() => db.runLater(rows, ['a'])),
      writer.enqueue(() => db.runLater(rows, ['b'])),
      writer.enqueue(() => seen.push(db.changeCount())),
      writer.enqueue(() => db.runLater(rows, ['c'])),
    ]);

    expect(seen).toEqual([2]);
    expect(read()).toEqual(['a', 'b', 'c']);
  });

  it('tells of a full disk, keeps nothing of the group, and goes on when there is room', async () => {
    const { db, write, read } = openNotes();
    await write('before');
    const { max_page_count: most } =
      db.get<{ max_page_count: number }>('pragma max_page_count') ?? {};
    db.exec('pragma max_page_count = 5');

    const answers = await Promise.allSettled([write('a'), write('b'.repeat(100_000))]);

    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'STORE_UNAVAILABLE',
          message:
            'The store cannot be used: the disk that holds notes.db is full. ' +
            'Free some space and try again; nothing of this call was kept.',
        },
      });
    }
    db.exec(`pragma max_page_count = ${most}`);
    await write('after');
    expect(read()).toEqual(['before', 'after']);
  });

  it('tells of another program that keeps the file from being written', async () => {
    const { db, file, write, read } = openNotes();
    db.exec('pragma busy_timeout = 0');
    const other = new DatabaseSync(file);
    other.exec('begin immediate');

    const answers = await Promise.allSettled([write('a'), write('b')]);

    for (const answer of answers) {
      expect(answer).toMatchObject({
        reason: { message: expect.stringContaining('another program is writing to notes.db') },
      });
    }
    other.close();
    await write('after');
    expect(read()).toEqual(['after']);
  });

  it('refuses all further work after the disk failed, for nobody knows what it kept', async () => {
    let isBroken = true;
    const { write, read } = openNotes({
      onCommit() {
        const failedSync = 1034;
        if (isBroken) throw Object.assign(new Error('disk I/O error'), { errcode: failedSync });
      },
    });
    const refusal = {
      code: 'STORE_UNAVAILABLE',
      message:
        'The store cannot be used: the disk failed under notes.db. Check the disk, then start again.',
    };

    await expect(write('a')).rejects.toMatchObject(refusal);

    isBroken = false;
    await expect(write('b')).rejects.toMatchObject(refusal);
    expect(read()).toEqual([]);
  });

  it('waits for claims that its new tasks wake, and takes them along', async () => {
    const file = folder.newFile();
    await using store = await openSqliteStore({ file, clock: systemClock });
    const queue = await addQueue(store);
    const claimed: Promise<Claim[]>[] = [];
    using _listening = store.onChange(({ kind }) => {
      if (kind === 'ready') claimed.push(claimAsEnginesDo());
    });
    async function claimAsEnginesDo(): Promise<Claim[]> {
      const [head] = await store.queues.heads('default', { now: null });
      const queueId = head?.queue.id ?? '';
      return store.attempts.claim(aClaim({ queueId }), { now: null });
    }

    const task = aNewTask();
    await store.tasks.submit(
      { queueId: queue.id, tasks: [task], onConflict: 'refuse' },
      { now: null },
    );

    // Another connection sees the claim with the submit: they are one commit.
    const other = new DatabaseSync(file, { readOnly: true });
    const running = 4;
    expect(other.prepare('select state from tasks').all()).toEqual([{ state: running }]);
    other.close();
    expect((await Promise.all(claimed)).flat()).toMatchObject([{ taskId: task.id }]);
  });

  it('is not harmed by a listener that throws', async () => {
    await using store = await openSqliteStore({ file: ':memory:', clock: systemClock });
    const queue = await addQueue(store);
    const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve));
    using _listening = store.onChange(() => {
      throw new Error("a listener's bug");
    });

    const task = aNewTask();
    await store.tasks.submit(
      { queueId: queue.id, tasks: [task], onConflict: 'refuse' },
      { now: null },
    );

    expect(await store.tasks.peek('default', [task.id])).toMatchObject([{ id: task.id }]);
    await uncaught;
  });
});
