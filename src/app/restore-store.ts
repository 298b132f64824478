import type { QueueDigest } from '../core/archive/archive-digest.ts';
import type { ArchiveRecord } from '../core/archive/archive-record.ts';
import { createArchiveWriter, type Written } from '../core/archive/archive-writer.ts';
import { compareWith, digestEach, type QueueComparison } from '../core/archive/copy-archive.ts';
import { readArchive } from '../core/archive/read-archive.ts';
import { invalid } from '../core/index.ts';
import type { Store } from '../core/store/index.ts';
import { type ArchiveFooter, readArchiveFile } from './archive-file.ts';
import type { ArchiveRun } from './copy-store.ts';
import { checkThere, openArchive } from './open-archive.ts';
import { formatStoreAddress, type StoreAddress } from './store-address.ts';

export interface StoreRestore {
  readonly file: string;
  readonly store: StoreAddress;
  /** Adds to what the store holds; else it must be empty. */
  readonly merge: boolean;
}

export interface ArchiveComparison extends QueueComparison {
  /** It was in the store before, and may hold more than the backup. */
  readonly wasThere: boolean;
}

export interface RestoreAnswer extends Written {
  readonly queues: readonly ArchiveComparison[];
}

/** Restores a backup; null when it was stopped. The whole file is checked before anything is written. */
export async function restoreStore(
  restore: StoreRestore,
  run: ArchiveRun,
): Promise<RestoreAnswer | null> {
  const { file, store: address } = restore;
  if (!file.endsWith('.db')) {
    const total = await checkArchive(file, run);
    if (total === null) return null;
    await using store = await openArchive(address, run);
    return await write(restore, { store, total, records: readArchiveFile(file), run });
  }
  const backup: StoreAddress = { kind: 'sqlite', file };
  checkThere(backup);
  if (formatStoreAddress(backup) === formatStoreAddress(address)) {
    throw invalid(file, 'that is the store itself', 'Name another store');
  }
  await using source = await openArchive(backup, run);
  await using store = await openArchive(address, run);
  const records = readArchive(source, { namespaces: null });
  return await write(restore, { store, total: null, records, run });
}

/** How many tasks it holds; null when it was stopped. */
async function checkArchive(file: string, run: ArchiveRun): Promise<number | null> {
  let footer: ArchiveFooter | null = null;
  const found = await digestEach({
    step: 'checking',
    records: readArchiveFile(file, (last) => {
      footer = last;
    }),
    signal: run.signal,
    onProgress: (progress) => run.onProgress(progress, null),
  });
  if (found === null) return null;
  checkDigests(file, found, footer);
  return found.reduce((sum, { tasks }) => sum + tasks, 0);
}

function checkDigests(
  file: string,
  found: readonly QueueDigest[],
  footer: ArchiveFooter | null,
): void {
  const written = new Map(footer?.queues.map(({ queueId, hash }) => [queueId, hash]));
  const wrong = found.find(({ queueId, hash }) => written.get(queueId) !== hash);
  if (!wrong && found.length === written.size) return;
  const queue = wrong ? `queue "${wrong.queue}"` : 'a queue';
  throw invalid(file, `the hash of ${queue} differs from what was written`, 'Use another backup');
}

interface Writing {
  readonly store: Store;
  readonly records: AsyncIterable<ArchiveRecord>;
  readonly total: number | null;
  readonly run: ArchiveRun;
}

async function write(
  { store: address, merge }: StoreRestore,
  { store, records, total, run }: Writing,
): Promise<RestoreAnswer | null> {
  const there = await listQueueIds(store);
  if (!merge && (there.size > 0 || (await store.tokens.list()).length > 0)) {
    throw invalid(
      formatStoreAddress(address),
      'the store is not empty',
      'Name an empty one, or say --merge to add what it lacks',
    );
  }
  const onProgress: Parameters<typeof digestEach>[0]['onProgress'] = (progress) =>
    run.onProgress(progress, total);
  const { signal } = run;
  const writer = createArchiveWriter(store, { replacesOlder: false });
  const source = await digestEach({
    ...{ step: 'copying', records, act: writer.write, signal, onProgress },
  });
  if (source === null) return null;
  const written = await writer.end();
  const queues = await compareWith(store, source, { signal, onProgress });
  if (queues === null) return null;
  const compared = queues.map((one) => ({ ...one, wasThere: there.has(one.source.queueId) }));
  return { ...written, queues: compared };
}

async function listQueueIds(store: Store): Promise<Set<string>> {
  while ((await store.queues.purge({ now: null, limit: 1000 })) > 0);
  const ids = new Set<string>();
  for (const { name } of await store.namespaces.list()) {
    const { items } = await store.archive.listQueues(name, { after: null, limit: 1_000_000 });
    for (const { queue } of items) ids.add(queue.id);
  }
  return ids;
}
