import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { BatchError } from '../../src/core/errors.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();
const open = (file: string) => openSqliteStore({ file, clock: systemClock });

/** The sentence with which a file is refused. */
async function refusalOf(file: string): Promise<string> {
  const error: BatchError = await open(file).then(
    () => expect.fail(`${file} was opened`),
    (reason) => reason,
  );
  expect(error).toMatchObject({ name: 'BatchError', code: 'STORE_UNAVAILABLE' });
  return error.message;
}

describe('a SQLite file', () => {
  it('has one owner within a process, who frees it by closing', async () => {
    const file = folder.newFile();
    const store = await open(file);

    expect(await refusalOf(file)).toBe(
      `The store cannot be used: ${file} is in use by this process. Use its server instead, ` +
        'with --server http://127.0.0.1:7700, or stop this process.',
    );

    await store.close();
    await (await open(file)).close();
  });

  it('is one file, with all in it, once it was closed', async () => {
    const file = folder.newFile();
    const store = await open(file);
    await store.namespaces.ensure('kept', { now: null });

    await store.close();

    expect(readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))).toEqual([
      basename(file),
      `${basename(file)}.owner`,
    ]);
    await using again = await open(file);
    expect(await again.namespaces.list()).toMatchObject([{ name: 'kept' }]);
  });

  it('has one owner among links to it', async () => {
    const [file, link] = [folder.newFile(), folder.newFile()];
    await using _store = await open(file);
    symlinkSync(file, link);

    expect(await refusalOf(link)).toContain('is in use by this process');
  });

  it('names the process that owns it and its server, until that is killed', async () => {
    const file = folder.newFile();
    const owner = spawnOwner(file, 'http://127.0.0.1:9999');
    await owner.isReady;

    expect(await refusalOf(file)).toBe(
      `The store cannot be used: ${file} is in use by process ${owner.pid}. Use its server ` +
        `instead, with --server http://127.0.0.1:9999, or stop process ${owner.pid}.`,
    );

    await owner.kill();
    await (await open(file)).close();
  });

  it('must have a directory', async () => {
    const file = folder.newFile();
    const nowhere = `${file}-nowhere/batchyard.db`;

    expect(await refusalOf(nowhere)).toBe(
      `The store cannot be used: there is no directory ${dirname(nowhere)}. Create it, or name another.`,
    );
  });

  it('cannot be a directory', async () => {
    const path = folder.newFile();
    mkdirSync(path);

    expect(await refusalOf(path)).toContain('is a directory. Name a file in it.');
  });

  it('must be in a place where it can be owned', async () => {
    const file = folder.newFile();
    mkdirSync(`${file}.owner`);

    expect(await refusalOf(file)).toContain(
      `${file}.owner cannot be written. Let this user write the file and the directory it is in`,
    );
  });

  it('is refused when it is no database, and left as it is', async () => {
    const file = folder.newFile();
    writeFileSync(file, 'These are notes, and have nothing to do with databases. '.repeat(100));

    expect(await refusalOf(file)).toBe(
      `The store cannot be used: ${file} is not an SQLite database. Name another file.`,
    );
  });

  it("is refused when it is another program's, and left as it is", async () => {
    const file = folder.newFile();
    const other = new DatabaseSync(file);
    other.exec('create table songs (title text)');

    expect(await refusalOf(file)).toContain('is the SQLite database of another program.');

    expect(other.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'delete' });
    other.close();
  });

  it('is refused when a newer version wrote it', async () => {
    const file = folder.newFile();
    await (await open(file)).close();
    const newer = new DatabaseSync(file);
    newer.exec('pragma user_version = 999');
    newer.close();

    expect(await refusalOf(file)).toContain(
      `${file} was written by a newer Batchyard (schema 999, this one knows 1). Install that version`,
    );
  });

  it('is refused when it is damaged', async () => {
    const file = folder.newFile();
    await (await open(file)).close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, 4096, bytes.length));

    expect(await refusalOf(file)).toContain(`${file} is damaged. Restore a backup, or save`);

    writeFileSync(file, bytes.subarray(0, 8192));
    expect(await refusalOf(file)).toContain(`${file} is damaged.`);
  });
});

function spawnOwner(file: string, server: string) {
  const script = new URL('./sqlite-owner-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', script, file, server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    pid: child.pid,
    isReady: once(child.stdout, 'data'),
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
