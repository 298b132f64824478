import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openDatabaseFile } from '../../src/stores/sqlite/database-file.ts';
import { readMigrations } from '../../src/stores/sqlite/schema-migration.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { openStoreClock } from '../../src/stores/sqlite/store-clock.ts';
import { after, hours, NOON, seconds } from '../support/builders.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

describe("the SQLite store's clock", () => {
  it('follows the monotonic clock, whatever becomes of the wall clock', async () => {
    const clock = createFakeClock(NOON);
    await using store = await openSqliteStore({ file: folder.newFile(), clock });

    clock.set(after(NOON, hours(5)));
    await clock.advance(seconds(10));
    expect(await store.now()).toEqual(after(NOON, seconds(10)));

    clock.set(after(NOON, -hours(5)));
    await clock.advance(seconds(10));
    expect(await store.now()).toEqual(after(NOON, seconds(20)));
  });

  it('goes on where it stood when the wall clock was put back between two starts', async () => {
    const file = folder.newFile();
    const clock = createFakeClock(NOON);
    {
      await using _store = await openSqliteStore({ file, clock });
      await clock.advance(seconds(90));
    }

    await using again = await openSqliteStore({
      file,
      clock: createFakeClock(after(NOON, -hours(1))),
    });

    expect(await again.now()).toEqual(after(NOON, seconds(90)));
  });

  it('is never before a time that was committed, even after a crash, and at most a second ahead', () => {
    const file = folder.newFile();
    const clock = createFakeClock(NOON);
    const first = openDatabaseFile(file, null, readMigrations());
    const before = openStoreClock(first.db, clock);
    before.save();
    // No stop: it crashed.
    first.close();

    const second = openDatabaseFile(file, null, readMigrations());
    const again = openStoreClock(second.db, createFakeClock(after(NOON, -hours(1))));

    expect(again.now()).toBeGreaterThan(before.now());
    expect(again.now()).toBeLessThanOrEqual(before.now() + seconds(1));
    second.close();
  });

  it('follows the wall clock from a start at which that is ahead', async () => {
    const file = folder.newFile();
    await (await openSqliteStore({ file, clock: createFakeClock(NOON) })).close();

    await using store = await openSqliteStore({
      file,
      clock: createFakeClock(after(NOON, hours(8))),
    });

    expect(await store.now()).toEqual(after(NOON, hours(8)));
  });

  it('saves its time about once a second, and only with other writes', async () => {
    const { db, close } = openDatabaseFile(folder.newFile(), null, readMigrations());
    const clock = createFakeClock(NOON);
    const own = openStoreClock(db, clock);
    const saves: number[] = [];
    for (let ms = 0; ms < 3000; ms += 100) {
      const changes = db.changeCount();
      own.save();
      saves.push(db.changeCount() - changes);
      await clock.advance(100);
    }

    expect(saves.filter((count) => count > 0).length).toBeLessThanOrEqual(3);
    close();
  });

  it('is the one that steps without a time of their own use', async () => {
    await using store = await openSqliteStore({ file: ':memory:', clock: systemClock });
    const before = await store.now();

    await store.namespaces.ensure('a', { now: null });

    const [namespace] = await store.namespaces.list();
    expect(namespace?.createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });
});
