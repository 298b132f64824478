import { createHash } from 'node:crypto';
import type { Collection, Db, MongoClient } from 'mongodb';
import type { Clock, Namespace } from '../../core/store/index.ts';
import { type CountCache, createCountCache } from './count-cache.ts';
import { ensureIndexes } from './indexes.ts';
import type { EmissionDocument, IntentDocument } from './intent-document.ts';
import type { NodeDocument } from './node-document.ts';
import type { OutputDocument } from './output-document.ts';
import type { QueueDocument } from './queue-document.ts';
import type { StartDocument } from './start-document.ts';
import type { ArchivedDocument, TaskDocument } from './task-document.ts';

/** One namespace: a database with Disbatch's collections and ours beside them. */
export interface Space {
  readonly namespace: string;
  readonly db: Db;
  readonly tasks: Collection<TaskDocument>;
  readonly queues: Collection<QueueDocument>;
  /** Queues that are gone while their tasks are still there. */
  readonly goneQueues: Collection<QueueDocument>;
  readonly nodes: Collection<NodeDocument>;
  readonly output: Collection<OutputDocument>;
  /** Ended attempts that their tasks have no room for. */
  readonly archive: Collection<ArchivedDocument>;
  readonly starts: Collection<StartDocument>;
  readonly intents: Collection<IntentDocument>;
  readonly emissions: Collection<EmissionDocument>;
  readonly counts: CountCache;
}

export interface Spaces {
  readonly shared: Db;
  get(namespace: string): Space;
  /** All that may hold something, deleted ones that wait to be purged included. */
  all(): Promise<readonly Space[]>;
  /** Makes the collections and indexes of namespace `default`. */
  prepare(): Promise<void>;
  ensure(namespace: string, now: number): Promise<void>;
  list(): Promise<Namespace[]>;
  /** False: there is none of that name. */
  remove(namespace: string): Promise<boolean>;
  /** The next `all` asks the server again. */
  forget(): void;
}

interface NamespaceDocument {
  readonly _id: string;
  /** Absent when it was deleted. */
  readonly createdAt?: Date;
}

const DEFAULT = 'default';
const FRESH_MS = 1000;

export interface SpacesOptions {
  readonly client: MongoClient;
  readonly database: string;
  readonly clock: Clock;
}

export function createSpaces({ client, database, clock }: SpacesOptions): Spaces {
  const shared = client.db(database);
  const registry = shared.collection<NamespaceDocument>('batchyard.namespaces');
  const spaces = new Map<string, Space>();
  const indexed = new Map<string, Promise<void>>();
  let known: { readonly names: readonly string[]; readonly atMs: number } | null = null;

  function get(namespace: string): Space {
    const space = spaces.get(namespace) ?? openSpace(namespace);
    spaces.set(namespace, space);
    return space;
  }

  function openSpace(namespace: string): Space {
    const db = namespace === DEFAULT ? shared : client.db(databaseName(database, namespace));
    return {
      namespace,
      db,
      tasks: db.collection('tasks'),
      queues: db.collection('queues'),
      goneQueues: db.collection('batchyard.queues'),
      nodes: db.collection('nodes'),
      output: db.collection('batchyard.output'),
      archive: db.collection('batchyard.attempts'),
      starts: db.collection('batchyard.starts'),
      intents: db.collection('batchyard.intents'),
      emissions: db.collection('batchyard.emissions'),
      counts: createCountCache(clock),
    };
  }

  /** Tried again when it failed. */
  function indexOnce(namespace: string): Promise<void> {
    const before = indexed.get(namespace);
    if (before !== undefined) return before;
    const made = ensureIndexes(get(namespace).db, { shared: namespace === DEFAULT });
    indexed.set(namespace, made);
    made.catch(() => indexed.delete(namespace));
    return made;
  }

  async function all(): Promise<readonly Space[]> {
    if (known === null || clock.monotonicMs() - known.atMs > FRESH_MS) {
      const found = await registry.find({}, { projection: { _id: 1 } }).toArray();
      const names = new Set([DEFAULT, ...found.map(({ _id }) => _id)]);
      known = { names: [...names], atMs: clock.monotonicMs() };
    }
    return known.names.map(get);
  }

  return {
    shared,
    get,
    all,
    prepare: () => indexOnce(DEFAULT),

    async ensure(namespace, now) {
      await indexOnce(namespace);
      const found = await registry.findOne({ _id: namespace, createdAt: { $exists: true } });
      if (found) return;
      const createdAt = { $ifNull: ['$createdAt', new Date(now)] };
      await registry.updateOne({ _id: namespace }, [{ $set: { createdAt } }], { upsert: true });
      known = null;
    },

    async list() {
      const [found, oldest] = await Promise.all([
        registry.find({ createdAt: { $exists: true } }).toArray(),
        get(DEFAULT).queues.find({ 'batchyard.gone': null }).sort({ _id: 1 }).limit(1).next(),
      ]);
      const namespaces = found.map(({ _id, createdAt }) => ({
        name: _id,
        createdAt: createdAt ?? new Date(0),
      }));
      // A database of Disbatch's own has queues and nothing of ours.
      if (oldest && !namespaces.some(({ name }) => name === DEFAULT)) {
        const createdAt = typeof oldest._id === 'string' ? new Date(0) : oldest._id.getTimestamp();
        namespaces.push({ name: DEFAULT, createdAt });
      }
      return namespaces.sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    async remove(namespace) {
      const filter = { _id: namespace, createdAt: { $exists: true } };
      const { matchedCount } = await registry.updateOne(filter, { $unset: { createdAt: '' } });
      return matchedCount > 0;
    },

    forget() {
      known = null;
    },
  };
}

/** Names of databases are short, and some servers take upper for lower case. */
export function databaseName(database: string, namespace: string): string {
  const digest = createHash('sha256').update(namespace).digest('hex').slice(0, 12);
  const readable = namespace
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 16);
  return [database.slice(0, 30), ...(readable ? [readable] : []), digest].join('_');
}
