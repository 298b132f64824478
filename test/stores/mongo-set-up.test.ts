import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { openMongoStore } from '../../src/stores/mongo/store.ts';
import { aBeat, at, NOON } from '../support/builders.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);
const open = (url: string) => openMongoStore({ url, clock: systemClock, random: systemRandom });

/** What a node of Disbatch 4 makes when it starts. */
const DISBATCH_INDEXES = {
  tasks: [
    'node_1_status_1_queue_1',
    'node_1_status_1_queue_1__id_1',
    'node_1_status_1_queue_1__id_-1',
    'queue_1_status_1',
  ],
  queues: ['name_1'],
  nodes: ['node_1'],
  'tasks.chunks': ['files_id_1_n_1'],
  'tasks.files': ['filename_1_metadata.task_id_1'],
};

async function indexNames(collection: string): Promise<string[]> {
  const indexes = await database.db.collection(collection).indexes();
  return indexes.flatMap(({ name }) => name ?? []);
}

describe('a database', () => {
  it('[D4-06] is set up by whoever opens it first: Disbatch’s collections and indexes, by their names', async () => {
    await database.db.dropDatabase();

    await using _store = await database.open();

    for (const [collection, names] of Object.entries(DISBATCH_INDEXES)) {
      expect(await indexNames(collection)).toEqual(expect.arrayContaining(names));
    }
  });

  it('is named without user and password', async () => {
    await using store = await database.openEmpty();

    expect(store.capabilities).toMatchObject({ durable: true });
    expect(store.capabilities.label).toMatch(/^mongodb:[^@/]+\/test_\w+$/);
  });

  it('[D4-24] gets an index back that was dropped', async () => {
    await (await database.openEmpty()).close();
    await database.db.collection('tasks').dropIndex('queue_1_status_1');

    await using _store = await database.open();

    expect(await indexNames('tasks')).toContain('queue_1_status_1');
  });

  it('takes no name for an index of ours but the default one', async () => {
    await using _store = await database.openEmpty();

    for (const { name, key } of await database.db.collection('tasks').indexes()) {
      const plain = Object.entries(key).map(([field, way]) => `${field}_${way}`);
      expect(name).toBe(name === '_id_' ? '_id_' : plain.join('_'));
    }
  });

  it('[D4-46] gives each node an id of its own that stays', async () => {
    await using store = await database.openEmpty();
    const [first] = await store.nodes.heartbeat('default', [aBeat()], at(NOON));
    const [again] = await store.nodes.heartbeat('default', [aBeat()], at(NOON));

    const document = await program.nodes.findOne({ node: 'node-1' });

    expect(document?._id.toHexString()).toMatch(/^[0-9a-f]{24}$/);
    expect([first?.id, again?.id]).toEqual(Array(2).fill(document?._id.toHexString()));
    expect(document).toMatchObject({ timestamp: NOON });
  });

  it.each([
    ['2', 2],
    [3, 3],
    [null, null],
  ])('reads maxthreads of a node: %j', async (maxthreads, maxRunning) => {
    await using store = await database.openEmpty();
    await store.nodes.heartbeat('default', [aBeat()], at(NOON));
    await program.nodes.updateOne({ node: 'node-1' }, { $set: { maxthreads } });

    expect((await store.nodes.find('default', 'node-1'))?.maxRunning).toBe(maxRunning);
  });

  it('[DEN-03] holds documents that any client can print as JSON and parse again', async () => {
    await using store = await database.openEmpty();
    await store.nodes.heartbeat('default', [aBeat()], at(NOON));
    await program.addTask(await program.addQueue());

    for (const collection of [program.tasks, program.queues, program.nodes]) {
      const document = await collection.findOne();
      expect(JSON.parse(JSON.stringify(document))).toEqual(expect.any(Object));
    }
  });
});

describe('a store on MongoDB refuses', () => {
  it.each(['w=1', 'w=0', 'w=majority&journal=false'])(
    'an address with %s: a crash could lose writes',
    async (options) => {
      const url = `${database.url}&${options}`;

      await expect(open(url)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('w=majority'),
      });
    },
  );

  it('what is no address, without repeating it', async () => {
    const opened = open('mongodb://u:secret@');

    await expect(opened).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(opened).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  it('a server that does not answer, in words', async () => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
    const address = socket.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await new Promise((resolve) => socket.close(resolve));
    const url = `mongodb://127.0.0.1:${port}/d?serverSelectionTimeoutMS=100`;

    await expect(open(url)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`127.0.0.1:${port}/d`),
    });
  });
});
