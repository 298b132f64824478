import { MongoClient } from 'mongodb';
import { afterAll, inject } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Store } from '../../src/core/store/index.ts';
import { databaseName } from '../../src/stores/mongo/spaces.ts';
import { openMongoStore } from '../../src/stores/mongo/store.ts';

export type MongoKind = 'standalone' | 'replica-set';

let count = 0;

/**
 * A database for one test file. Each store on it is fresh and empty: documents are deleted
 * between tests, for that is quicker than to make collections and indexes anew.
 */
export function mongoDatabase(kind: MongoKind) {
  const server = inject(kind === 'standalone' ? 'mongoStandaloneUrl' : 'mongoReplicaSetUrl');
  count += 1;
  const name = `test_${process.pid}_${count}`;
  const client = new MongoClient(server);
  const url = withDatabase(server, name);
  afterAll(async () => {
    for (const db of await ownDatabases()) await db.dropDatabase();
    await client.close();
  });

  async function ownDatabases() {
    const filter = { name: { $regex: `^${name}(_|$)` } };
    const { databases } = await client.db('admin').admin().listDatabases({ filter });
    return databases.map((one) => client.db(one.name));
  }

  /** Those of namespaces that no test has used since hold nothing. */
  async function empty(database: string): Promise<void> {
    const main = client.db(database);
    const registry = main.collection<{ _id: string }>('batchyard.namespaces');
    const used = await registry.find({ _id: { $ne: 'default' } }).toArray();
    for (const db of [...used.map(({ _id }) => client.db(databaseName(database, _id))), main]) {
      const collections = await db.collections();
      await Promise.all(collections.map((one) => one.deleteMany({})));
    }
  }

  const openAt = (database: string): Promise<Store> =>
    openMongoStore({
      url: withDatabase(server, database),
      clock: systemClock,
      random: systemRandom,
    });
  const free: string[] = [];
  let madeCount = 0;
  return {
    url,
    db: client.db(name),
    /** Another store on what is there. */
    open: () => openAt(name),
    async openEmpty(): Promise<Store> {
      await empty(name);
      return openAt(name);
    },
    /** Empty too, and apart from every other that is open. */
    async openApart(): Promise<Store> {
      const used = free.pop();
      if (used) await empty(used);
      else madeCount += 1;
      const database = used ?? `${name}_apart_${madeCount}`;
      const store = await openAt(database);
      const close = async (): Promise<void> => {
        await store.close();
        if (!free.includes(database)) free.push(database);
      };
      return { ...store, close, [Symbol.asyncDispose]: close };
    },
  };
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}
