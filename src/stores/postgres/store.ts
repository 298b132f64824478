import type { Clock, Random, Store, StoreCapabilities } from '../../core/store/index.ts';
import { type AnswerRow, FIND_ANSWER_SQL, PURGE_ANSWERS_SQL, toKeptAnswer } from './answers.ts';
import { createArchiveStore } from './archive-store.ts';
import { createAttemptStore } from './attempt-store.ts';
import { createChanges } from './changes.ts';
import { isSchemaName, type Place, splitSchema, toLabel } from './connection-options.ts';
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
import { migrateSchema, planSchema, prepareSchema } from './schema-migration.ts';
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
  const place = toPlace(options);
  const { url, schema } = place;
  const label = toLabel(url);
  const { isPooled } = await reach(place, prepareSchema);
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

  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await Promise.all([vacuumKeeper?.close(), wakeups.close()]);
    await database.close();
  }

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
    archive: createArchiveStore(steps),
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
    close() {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}

/** Brings the schema that an address names up to date. Throws STORE_UNAVAILABLE. */
export const migratePostgres = (url: string) => reach(toPlace({ url }), migrateSchema);

/** What `migratePostgres` would do. Throws STORE_UNAVAILABLE. */
export const planPostgres = (url: string) => reach(toPlace({ url }), planSchema);

function toPlace({ url: given, schema: wanted }: Pick<PostgresOptions, 'url' | 'schema'>): Place {
  const { url, schema: named } = splitSchema(given);
  const schema = wanted ?? named ?? USUAL_SCHEMA;
  if (isSchemaName(schema)) return { url, schema };
  throw unavailable(`"${schema}" is no name for a schema`, 'Use letters, digits and _.');
}

async function reach<Answer>(
  place: Place,
  act: (place: Place) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act(place);
  } catch (error) {
    throw toUnavailable(error, toLabel(place.url)) ?? error;
  }
}
