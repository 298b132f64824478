import type { Clock, Store, StoreChange } from '../../core/store/index.ts';
import { findAnswer, purgeAnswers } from './answers.ts';
import { createArchiveStore } from './archive-store.ts';
import { createAttemptStore } from './attempt-store.ts';
import { type Connection, connect } from './connection.ts';
import { createCrowds } from './crowds.ts';
import { examineDatabase } from './examination.ts';
import { findMissingIndexes } from './indexes.ts';
import { createLeaseStore } from './lease-store.ts';
import { createLocks } from './locks.ts';
import { toUnavailable } from './mongo-error.ts';
import { createNamespaceStore } from './namespace-store.ts';
import { createNodeStore } from './node-store.ts';
import { createOutputStore } from './output-store.ts';
import { createQueueDirectory } from './queue-lookup.ts';
import { createQueueStore } from './queue-store.ts';
import { createServerTime } from './server-time.ts';
import type { Session } from './session.ts';
import { createSignals, NO_SIGNALS } from './signals.ts';
import { createSpaces } from './spaces.ts';
import { createSteps } from './steps.ts';
import { createSweep } from './sweep.ts';
import { createTaskStore } from './task-store.ts';
import { createTokenStore } from './token-store.ts';

export interface MongoOptions {
  /** mongodb://…; its database is the one of namespace `default`. */
  readonly url: string;
  readonly clock: Clock;
  readonly random: { bytes(count: number): Uint8Array };
}

/**
 * Opens a store on a MongoDB database, which Disbatch programs may share. Throws
 * STORE_UNAVAILABLE, with what to do about it: no server answers, it is too old, it refuses the
 * user, or the address asks for writes that a crash could lose.
 */
export async function openMongoStore({ url, clock, random }: MongoOptions): Promise<Store> {
  let connection: Connection | null = null;
  try {
    connection = await connect(url);
    return await assembleStore(connection, { clock, random });
  } catch (error) {
    await connection?.client.close();
    throw toUnavailable(error, connection?.label ?? 'the MongoDB server') ?? error;
  }
}

/** Indexes that opening the store would make in its database. Throws STORE_UNAVAILABLE. */
export async function planMongo(url: string): Promise<readonly string[]> {
  let connection: Connection | null = null;
  try {
    connection = await connect(url);
    const { client, database } = connection;
    return await findMissingIndexes(client.db(database), { shared: true });
  } catch (error) {
    throw toUnavailable(error, connection?.label ?? 'the MongoDB server') ?? error;
  } finally {
    await connection?.client.close();
  }
}

async function assembleStore(
  { client, database, label, isReplicaSet }: Connection,
  { clock, random }: Pick<MongoOptions, 'clock' | 'random'>,
): Promise<Store> {
  const listeners = new Set<(change: StoreChange) => void>();
  const newToken = () => Buffer.from(random.bytes(12)).toString('base64url');
  const spaces = createSpaces({ client, database, clock });
  const locks = createLocks(spaces.shared.collection('batchyard.locks'), { clock, newToken });
  const deliver = (changes: readonly StoreChange[]): void => {
    for (const change of changes) for (const listener of listeners) listener(change);
  };
  const signals = isReplicaSet
    ? createSignals({ spaces, clock, name: newToken(), deliver })
    : NO_SIGNALS;
  const session: Session = {
    spaces,
    directory: createQueueDirectory(spaces),
    locks,
    crowds: createCrowds(clock),
    time: createServerTime(client.db('admin')),
    clock,
    newToken,
    tell(changes) {
      deliver(changes);
      signals.publish(changes);
    },
  };
  await spaces.prepare();
  const steps = createSteps(session, label);
  const sweep = createSweep(steps);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await steps.close();
    await sweep.stop();
    await signals.close();
    await client.close();
  }

  const store: Store = {
    capabilities: { label, durable: true, pushesWakeups: isReplicaSet },
    namespaces: createNamespaceStore(steps),
    queues: createQueueStore(steps),
    tasks: createTaskStore(steps),
    attempts: createAttemptStore(steps),
    outputs: createOutputStore(steps),
    nodes: createNodeStore(steps),
    leases: createLeaseStore(steps),
    tokens: createTokenStore(steps),
    archive: createArchiveStore(steps),
    answers: {
      find: (key, step) => steps.take(step, ({ now }) => findAnswer(session, key, now)),
      purge: (step) => steps.take(step, ({ now }) => purgeAnswers(session, now, step.limit)),
    },
    examine: () => steps.look(() => examineDatabase(session)),
    now: () => steps.look(async () => new Date(await session.time.now())),
    onChange(listener) {
      const own = (change: StoreChange) => listener(change);
      listeners.add(own);
      signals.listen();
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
    close() {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}
