import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { BatchError } from '../../core/store/index.ts';
import { type Database, openDatabase } from './database.ts';
import { isBusy, toUnavailable } from './sqlite-error.ts';

const USUAL_SERVER = 'http://127.0.0.1:7700';

export interface OwnerLock {
  release(): void;
}

/**
 * Makes this process the only one that opens the file, until it lets go or dies.
 *
 * The lock is an exclusive transaction on an empty database beside it, `FILE.owner`: a lock
 * of the operating system, which is gone with the process, however that ends. Who holds it is
 * in `FILE.owner.json`. Never read `FILE.owner` itself: closing any handle on it would free
 * the lock. It stays when the lock is released, for deleting it could give two owners.
 */
export function acquireOwnerLock(file: string, server: string | null): OwnerLock {
  const note = `${file}.owner.json`;
  let lock: Database | null = null;
  try {
    lock = openDatabase(`${file}.owner`);
    lock.exec('pragma busy_timeout = 0');
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw refusal(file, note);
    throw toUnavailable(error, `${file}.owner`) ?? error;
  }
  writeNote(note, { pid: process.pid, server });
  return {
    release() {
      rmSync(note, { force: true });
      lock?.close();
    },
  };
}

interface Owner {
  readonly pid: number | null;
  readonly server: string | null;
}

/** Only a help to others: without it they are told of "another process". */
function writeNote(path: string, owner: Owner): void {
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(owner)}\n`);
    renameSync(fresh, path);
  } catch {
    rmSync(fresh, { force: true });
  }
}

function readNote(path: string): Owner {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { pid: null, server: null }; // written an instant from now, or not readable for us
  }
}

function refusal(file: string, note: string): Error {
  const { pid, server } = readNote(note);
  const owner =
    pid === null ? 'another process' : pid === process.pid ? 'this process' : `process ${pid}`;
  return new BatchError('STORE_UNAVAILABLE', {
    problem: `${file} is in use by ${owner}`,
    remedy: `Use its server instead, with --server ${server ?? USUAL_SERVER}, or stop ${owner}.`,
    owner,
  });
}
