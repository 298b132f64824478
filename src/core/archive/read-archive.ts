import type { Page } from '../domain/page.ts';
import { BatchError } from '../errors.ts';
import type { ArchivedQueue } from '../store/archive-store.ts';
import type { Store } from '../store/store.ts';
import type { ArchiveRecord } from './archive-record.ts';

const TASKS_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;

export interface ArchiveScope {
  /** null: all, and the access tokens as well. */
  readonly namespaces: readonly string[] | null;
  /** Only these queues, by id; all when absent. */
  readonly queueIds?: ReadonlySet<string>;
}

/** All data within the scope, read as it is taken. Throws NAMESPACE_NOT_FOUND. */
export async function* readArchive(
  store: Store,
  scope: ArchiveScope,
): AsyncGenerator<ArchiveRecord, void> {
  for (const namespace of await listNamespaces(store, scope)) {
    yield { kind: 'namespace', name: namespace };
    for await (const archived of readQueues(store, namespace)) {
      if (scope.queueIds && !scope.queueIds.has(archived.queue.id)) continue;
      yield { kind: 'queue', ...archived };
      yield* readTasks(store, archived);
    }
  }
  if (scope.namespaces !== null) return;
  for (const token of await store.archive.listTokens()) yield { kind: 'token', ...token };
}

export async function listNamespaces(
  store: Store,
  { namespaces }: ArchiveScope,
): Promise<readonly string[]> {
  const there = (await store.namespaces.list()).map(({ name }) => name);
  for (const namespace of namespaces ?? []) {
    if (!there.includes(namespace)) throw new BatchError('NAMESPACE_NOT_FOUND', { namespace });
  }
  return namespaces ?? there;
}

export function readQueues(store: Store, namespace: string): AsyncGenerator<ArchivedQueue, void> {
  return readPages((after) => store.archive.listQueues(namespace, { after, limit: TASKS_AT_ONCE }));
}

async function* readTasks(
  store: Store,
  { queue }: ArchivedQueue,
): AsyncGenerator<ArchiveRecord, void> {
  const query = { namespace: queue.namespace, queueId: queue.id };
  const bounds = { limit: TASKS_AT_ONCE, limitBytes: BYTES_AT_ONCE };
  const tasks = readPages((after) => store.archive.listTasks({ ...query, ...bounds, after }));
  for await (const archived of tasks) {
    yield { kind: 'task', ...archived };
    for (const fence of archived.outputFences) yield* readOutput(store, archived.task.id, fence);
  }
}

async function* readOutput(
  store: Store,
  taskId: string,
  fence: number,
): AsyncGenerator<ArchiveRecord, void> {
  for (let after = 0; ; ) {
    const chunks = await store.outputs.read({ taskId, fence, after, limitBytes: BYTES_AT_ONCE });
    const last = chunks.at(-1);
    if (!last) return;
    yield { kind: 'output', taskId, fence, chunks };
    after = last.number;
  }
}

async function* readPages<Item>(
  list: (after: string | null) => Promise<Page<Item>>,
): AsyncGenerator<Item, void> {
  for (let after: string | null = null; ; ) {
    const page: Page<Item> = await list(after);
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
