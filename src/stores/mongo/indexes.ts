import type { Db } from 'mongodb';
import { isDuplicateKey, isMissingCollection } from './mongo-error.ts';
import { QUEUED } from './status-codes.ts';

interface IndexWish {
  readonly collection: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly sparse?: true;
  readonly partialFilterExpression?: object;
}

/** Those that a Disbatch node makes when it starts. */
const DISBATCH: readonly IndexWish[] = [
  { collection: 'tasks', keys: { node: 1, status: 1, queue: 1 } },
  { collection: 'tasks', keys: { node: 1, status: 1, queue: 1, _id: 1 } },
  { collection: 'tasks', keys: { node: 1, status: 1, queue: 1, _id: -1 } },
  { collection: 'tasks', keys: { queue: 1, status: 1 } },
  { collection: 'queues', keys: { name: 1 }, unique: true },
  { collection: 'nodes', keys: { node: 1 }, unique: true },
  { collection: 'tasks.chunks', keys: { files_id: 1, n: 1 }, unique: true },
  { collection: 'tasks.files', keys: { filename: 1, 'metadata.task_id': 1 } },
];

const has = (field: string) => ({ [field]: { $exists: true } });

const OURS: readonly IndexWish[] = [
  // Tasks of other programs have no order: they stand together at its beginning, by _id.
  {
    collection: 'tasks',
    keys: { queue: 1, status: 1, 'batchyard.order': 1, _id: 1 },
    partialFilterExpression: { status: QUEUED },
  },
  {
    collection: 'tasks',
    keys: { 'batchyard.due': 1, status: 1 },
    partialFilterExpression: has('batchyard.due'),
  },
  {
    collection: 'tasks',
    keys: { queue: 1, 'batchyard.key': 1 },
    unique: true,
    partialFilterExpression: has('batchyard.key'),
  },
  {
    collection: 'tasks',
    keys: { queue: 1, 'batchyard.unique.key': 1 },
    partialFilterExpression: has('batchyard.unique.key'),
  },
  {
    collection: 'tasks',
    keys: { 'batchyard.ended.node': 1, 'batchyard.ended.endedAt': 1 },
    sparse: true,
  },
  { collection: 'tasks', keys: { 'batchyard.pendingAt': 1 }, sparse: true },
  { collection: 'tasks', keys: { queue: 1, _id: 1 } },
  {
    collection: 'tasks',
    keys: { queue: 1, 'batchyard.endedAt': 1 },
    partialFilterExpression: has('batchyard.endedAt'),
  },
  { collection: 'batchyard.attempts', keys: { task: 1, fence: 1 } },
  { collection: 'batchyard.attempts', keys: { node: 1, endedAt: 1 } },
  { collection: 'batchyard.output', keys: { task: 1, fence: 1, number: 1 }, unique: true },
  { collection: 'batchyard.starts', keys: { queue: 1, name: 1, key: 1, at: 1 } },
  { collection: 'batchyard.starts', keys: { until: 1 } },
  { collection: 'batchyard.calls', keys: { keptAt: 1 } },
];

const SHARED: readonly IndexWish[] = [
  { collection: 'batchyard.tokens', keys: { hash: 1 } },
  { collection: 'batchyard.answers', keys: { at: 1 } },
];

const wishesFor = (shared: boolean): readonly IndexWish[] => [
  ...DISBATCH,
  ...OURS,
  ...(shared ? SHARED : []),
];

/** One command each, under their default names: Disbatch's programs read those. */
export async function ensureIndexes(db: Db, options: IndexScope): Promise<void> {
  for (const wish of await findMissing(db, options)) await createIndex(db, wish);
}

/** Which of them are not there, as `collection.index`. */
export async function findMissingIndexes(db: Db, options: IndexScope): Promise<string[]> {
  const missing = await findMissing(db, options);
  return missing.map(({ collection, keys }) => `${collection}.${nameOf(keys)}`);
}

export interface IndexScope {
  /** Whether the database also holds what all namespaces share. */
  readonly shared: boolean;
}

async function findMissing(db: Db, { shared }: IndexScope): Promise<IndexWish[]> {
  const wishes = wishesFor(shared);
  const collections = [...new Set(wishes.map(({ collection }) => collection))];
  const there = new Map(await Promise.all(collections.map((name) => listIndexes(db, name))));
  return wishes.filter(({ collection, keys }) => !there.get(collection)?.has(nameOf(keys)));
}

async function listIndexes(db: Db, collection: string): Promise<[string, Set<string>]> {
  try {
    const indexes = await db.collection(collection).indexes();
    return [collection, new Set(indexes.flatMap(({ name }) => name ?? []))];
  } catch (error) {
    if (!isMissingCollection(error)) throw error;
    return [collection, new Set()];
  }
}

/** The name an index has by default. */
function nameOf(keys: IndexWish['keys']): string {
  return Object.entries(keys).flat().join('_');
}

async function createIndex(db: Db, { collection, keys, ...options }: IndexWish): Promise<void> {
  try {
    await db.collection(collection).createIndex(keys, options);
  } catch (error) {
    if (!isDuplicateKey(error) || collection !== 'queues') throw error;
    // Queues of DEN 1.1 have no name.
    await db.collection(collection).createIndex(keys, { ...options, sparse: true });
  }
}
