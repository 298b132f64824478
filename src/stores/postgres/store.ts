import type { Clock, Random, Store, StoreCapabilities } from '../../core/store/index.ts';
import { type AnswerRow, FIND_ANSWER_SQL, PURGE_ANSWERS_SQL, toKeptAnswer } from './answers.ts';
import { createAttemptStore } from './attempt-store.ts';
import { createChanges } from './changes.ts';
import { isSchemaName, splitSchema, toLabel } from './connection-options.ts';
import { createDatabase } from './database.ts';
import { examineDatabase } from './examination.ts';
import { createLeaseStore } from './lease-store.ts';
import { createNamespaceStore } from './namespace-store.ts';
import { createNodeNames } from './node-names.ts';
import { createNodeStore } from './node-store.ts';
import { createOutputStore } from './output-store.ts';
import { toUnavailable, unavailable } from './postgres-error.ts';
import { createQueueCache } from './queue-cache.ts';
import { createQueueStore } from './queue-store.ts';
import { createRecentQueues } from './recent-queues.ts';
import { prepareSchema } from './schema-migration.ts';
import { createSteps, msOf } from './steps.ts';
import { createTaskStore } from './task-store.ts';
import { createTokenStore } from './token-store.ts';
import { startVacuumKeeper } from './vacuum-keeper.ts';
import { toHex, toQuoted } from './values.ts';
import { createWakeups } from './wakeups.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with `?schema=NAME` for another than the usual. */
  readonly url: string;
  /** Instead of the one in the address. */
  readonly schema?: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Connections for steps; a few more are for lists and wake-ups. */
  readonly poolSize?: number;
}

const USUAL_SCHEMA = 'batchyard';
const USUAL_POOL_SIZE = 10;

/**
 * Opens a store on a schema of a PostgreSQL database, which is made where it is missing. Throws
 * STORE_UNAVAILABLE, with what to do about it: the server does not answer or refuses, or the schema is
 * older than this program, newer than it can work with, or another program's.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { clock, random, poolSize = USUAL_POOL_SIZE } = options;
  const { url, schema: named } = splitSchema(options.url);
  const schema = options.schema ?? named ?? USUAL_SCHEMA;
  if (!isSchemaName(schema)) {
    throw unavailable(`"${schema}" is no name for a schema`, 'Use letters, digits and _.');
  }
  const label = toLabel(url);
  const { isPooled } = await prepareSchema({ url, schema }).catch((error: unknown) => {
    throw toUnavailable(error, label) ?? error;
  });
  const database = createDatabase({
    url,
    schema,
    label,
    clock,
    random: () => random.next(),
    poolSize,
    isPooled,
  });
  const capabilities: StoreCapabilities = { label, durable: true, pushesWakeups: !isPooled };
  const wakeups = createWakeups({
    url,
    schema,
    clock,
    random: () => random.next(),
    instance: toHex(random.bytes(8)),
    hear: (heard) => changes.hear(heard),
  });
  const changes = createChanges(wakeups.tell);
  const vacuumKeeper = isPooled ? null : startVacuumKeeper({ url, schema, clock, database });
  const steps = createSteps({
    database,
    clock,
    changes,
    nodes: createNodeNames(database),
    queues: createQueueCache(database),
    recent: createRecentQueues(clock),
  });

  const store: Store = {
    capabilities,
    namespaces: createNamespaceStore(steps),
    queues: createQueueStore(steps),
    tasks: createTaskStore(steps),
    attempts: createAttemptStore(steps),
    outputs: createOutputStore(steps),
    nodes: createNodeStore(steps),
    leases: createLeaseStore(steps),
    tokens: createTokenStore(steps),
    answers: {
      async find(key, step) {
        const [row] = await database.look<AnswerRow>(FIND_ANSWER_SQL, toQuoted(key), msOf(step));
        return row ? toKeptAnswer(row) : null;
      },
      purge: (step) =>
        steps.take(step, ({ db }) => db.run(PURGE_ANSWERS_SQL, msOf(step), step.limit)),
    },
    examine: () => examineDatabase(database),
    async now() {
      const [row] = await database.look<{ now: number }>('select now_ms() as now');
      return new Date(row?.now ?? 0);
    },
    onChange(listener) {
      if (!isPooled) wakeups.listen();
      return changes.onChange(listener);
    },
    async close() {
      await Promise.all([vacuumKeeper?.close(), wakeups.close()]);
      await database.close();
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}
