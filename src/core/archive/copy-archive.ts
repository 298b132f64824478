import type { Clock } from '../clock.ts';
import type { Queue } from '../domain/queue.ts';
import type { Store } from '../store/store.ts';
import { createArchiveDigest, type QueueDigest } from './archive-digest.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { createArchiveWriter, nameTaken, putQueue, type Written } from './archive-writer.ts';
import { countLive, listOpenQueues, setPaused, waitUntilDrained } from './drain.ts';
import { type ArchiveScope, listNamespaces, readArchive } from './read-archive.ts';

/** How far it is; tasks and bytes of output of the step under way. */
export interface ArchiveProgress {
  readonly step: 'draining' | 'copying' | 'checking';
  readonly tasks: number;
  readonly outputBytes: number;
}

export interface CopyRequest {
  readonly from: Store;
  readonly to: Store;
  readonly namespaces: readonly string[] | null;
  /** Stops claims and waits for live attempts first; else live tasks are a reason to refuse. */
  readonly drain: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ArchiveProgress) => void;
}

export type CopyAnswer =
  | ({ readonly status: 'copied'; readonly queues: readonly QueueComparison[] } & Written)
  | { readonly status: 'live'; readonly live: number }
  | { readonly status: 'stopped' };

export interface QueueComparison {
  readonly source: QueueDigest;
  /** null: it is not there. */
  readonly destination: QueueDigest | null;
  readonly isSame: boolean;
}

/**
 * Copies namespaces from store to store and compares both. An interrupted copy that is begun
 * again finds what is there and goes on; queues it had paused are let go at its end.
 */
export async function copyArchive(request: CopyRequest): Promise<CopyAnswer> {
  const { from, to, drain, signal } = request;
  const namespaces = await listNamespaces(from, request);
  await purgeHidden(to);
  const queues = await listOpenQueues(from, namespaces);
  await checkNames(to, queues);
  if (!drain) {
    const live = await countLive(from, namespaces);
    if (live > 0) return { status: 'live', live };
    return copyAtRest(request);
  }
  const paused = await pauseAll(request, queues);
  try {
    const onWait = (live: number): void =>
      request.onProgress({ step: 'draining', tasks: live, outputBytes: 0 });
    await waitUntilDrained({ ...request, store: from, onWait });
    return signal.aborted ? { status: 'stopped' } : await copyAtRest(request);
  } finally {
    for (const queue of paused) await setPaused(from, queue, false);
  }
}

/** A queue deleted there a moment ago would still hold its ids. */
async function purgeHidden(store: Store): Promise<void> {
  while ((await store.queues.purge({ now: null, limit: 1000 })) > 0);
}

async function checkNames(to: Store, queues: readonly Queue[]): Promise<void> {
  for (const queue of queues) {
    const there = await to.queues.find(queue.namespace, queue.name);
    if (there && there.id !== queue.id) throw nameTaken(queue);
  }
}

/**
 * Gives the queues that are to go on afterwards. The destination has each queue first, as it is
 * to be: a copy that was killed while the source was paused learns from there that it was not.
 */
async function pauseAll({ from, to }: CopyRequest, queues: readonly Queue[]): Promise<Queue[]> {
  const paused: Queue[] = [];
  for (const queue of queues) {
    await putQueue(to, { queue, isDeleted: false }, { replacesOlder: true });
    const there = await to.queues.find(queue.namespace, queue.name);
    if (there?.paused === false) paused.push(queue);
    await setPaused(from, queue, true);
  }
  return paused;
}

async function copyAtRest(request: CopyRequest): Promise<CopyAnswer> {
  const { from, to, namespaces } = request;
  const writer = createArchiveWriter(to, { replacesOlder: true });
  const records = readArchive(from, { namespaces });
  const source = await digestEach({ ...request, step: 'copying', records, act: writer.write });
  if (source === null) return { status: 'stopped' };
  const written = await writer.end();
  const queues = await compareWith(to, source, request);
  return queues === null ? { status: 'stopped' } : { status: 'copied', queues, ...written };
}

export interface DigestRequest {
  readonly step: ArchiveProgress['step'];
  readonly records: AsyncIterable<ArchiveRecord>;
  readonly act?: (record: ArchiveRecord) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ArchiveProgress) => void;
}

/** Goes through records, acts on each, and gives the digests of their queues; null when the signal aborted. */
export async function digestEach(request: DigestRequest): Promise<readonly QueueDigest[] | null> {
  const { step, records, act, signal, onProgress } = request;
  const digest = createArchiveDigest();
  let tasks = 0;
  let outputBytes = 0;
  for await (const record of records) {
    if (signal.aborted) return null;
    digest.add(record);
    await act?.(record);
    if (record.kind === 'task') tasks += 1;
    if (record.kind === 'output') {
      for (const { bytes } of record.chunks) outputBytes += bytes.length;
    }
    onProgress({ step, tasks, outputBytes });
  }
  return digest.end();
}

/** Reads the same queues in another store; null when the signal aborted. */
export async function compareWith(
  store: Store,
  source: readonly QueueDigest[],
  request: Pick<DigestRequest, 'signal' | 'onProgress'>,
): Promise<readonly QueueComparison[] | null> {
  const scope: ArchiveScope = {
    namespaces: [...new Set(source.map(({ namespace }) => namespace))],
    queueIds: new Set(source.map(({ queueId }) => queueId)),
  };
  const records = readArchive(store, scope);
  const found = await digestEach({ ...request, step: 'checking', records });
  if (found === null) return null;
  const byId = new Map(found.map((digest) => [digest.queueId, digest]));
  return source.map((digest) => {
    const destination = byId.get(digest.queueId) ?? null;
    return { source: digest, destination, isSame: destination?.hash === digest.hash };
  });
}
