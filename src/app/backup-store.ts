import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { QueueDigest } from '../core/archive/archive-digest.ts';
import { digestEach } from '../core/archive/copy-archive.ts';
import { readArchive } from '../core/archive/read-archive.ts';
import { invalid } from '../core/index.ts';
import { openArchiveWriter } from './archive-file.ts';
import { type ArchiveRun, countTasks } from './copy-store.ts';
import { checkThere, openArchive } from './open-archive.ts';
import type { StoreAddress } from './store-address.ts';

export interface StoreBackup {
  readonly store: StoreAddress;
  /** `.db`: a copy of an SQLite file; else NDJSON, packed when it ends in `.gz`. */
  readonly file: string;
  /** Whether a file that is there gives way. */
  readonly replaces: boolean;
}

export interface BackupAnswer {
  readonly bytes: number;
  /** null: not counted, for the file was copied as it is. */
  readonly queues: readonly QueueDigest[] | null;
}

/** Writes a backup; null when it was stopped, and then there is none. A running server goes on meanwhile. */
export async function backUpStore(
  backup: StoreBackup,
  run: ArchiveRun,
): Promise<BackupAnswer | null> {
  const { store, file } = backup;
  checkThere(store);
  checkFile(backup);
  if (store.kind !== 'sqlite') return writeArchive(store, file, run);
  if (file.endsWith('.db')) {
    await copyFile(store.file, file, run);
    return { bytes: statSync(file).size, queues: null };
  }
  // The file may be a running server's: what is read is a copy of one instant of it.
  const snapshot = `${file}.snapshot`;
  try {
    await copyFile(store.file, snapshot, run);
    return await writeArchive({ kind: 'sqlite', file: snapshot }, file, run);
  } finally {
    for (const part of ['', '.owner', '-wal', '-shm']) rmSync(snapshot + part, { force: true });
  }
}

async function copyFile(from: string, to: string, { onProgress }: ArchiveRun): Promise<void> {
  const { backUpFile } = await import('../stores/sqlite/backup-file.ts');
  const size = statSync(from).size;
  await backUpFile({
    from,
    to,
    onProgress: (part) =>
      onProgress({ step: 'copying', tasks: 0, outputBytes: Math.round(part * size) }, null),
  });
}

async function writeArchive(
  address: StoreAddress,
  file: string,
  run: ArchiveRun,
): Promise<BackupAnswer | null> {
  await using store = await openArchive(address, run);
  const total = await countTasks(store, null);
  const writer = openArchiveWriter(file, run.clock.now());
  let isWhole = false;
  try {
    const queues = await digestEach({
      step: 'copying',
      records: readArchive(store, { namespaces: null }),
      act: writer.write,
      signal: run.signal,
      onProgress: (progress) => run.onProgress(progress, total),
    });
    if (queues === null) return null;
    const { bytes } = await writer.end(queues);
    isWhole = true;
    return { bytes, queues };
  } finally {
    if (!isWhole) writer.discard();
  }
}

function checkFile({ store, file, replaces }: StoreBackup): void {
  if (file.endsWith('.db') && store.kind !== 'sqlite') {
    throw invalid(file, 'only an SQLite store has a .db file', 'Name it FILE.ndjson.gz');
  }
  if (!existsSync(dirname(file))) {
    throw invalid(file, `there is no directory ${dirname(file)}`, 'Create it, or name another');
  }
  if (!existsSync(file)) return;
  if (store.kind === 'sqlite' && realpathSync(store.file) === realpathSync(file)) {
    throw invalid(file, 'that is the store itself', 'Name another file');
  }
  if (!replaces) throw invalid(file, 'the file is there already', 'Name another, or say --force');
}
