import type { Clock, Store } from '../../core/store/index.ts';
import { findAnswer, purgeAnswers } from './answers.ts';
import { createAttemptStore } from './attempt-store.ts';
import { openDatabaseFile, openDatabaseInMemory } from './database-file.ts';
import { createLeaseStore } from './lease-store.ts';
import { createNamespaceStore } from './namespace-store.ts';
import { createNodeStore } from './node-store.ts';
import { createOutputStore } from './output-store.ts';
import { createQueueStore } from './queue-store.ts';
import { readMigrations } from './schema-migration.ts';
import { loadSession, openSession } from './session.ts';
import { createSteps } from './steps.ts';
import { openStoreClock } from './store-clock.ts';
import { createTaskStore } from './task-store.ts';
import { createTokenStore } from './token-store.ts';
import { createWriter } from './writer.ts';

export interface SqliteOptions {
  /** `:memory:` keeps nothing. */
  readonly file: string;
  readonly clock: Clock;
  /** Where the server of this process will answer, for the message to others who open the file. */
  readonly serverUrl?: string;
}

const IN_MEMORY = ':memory:';

/**
 * Opens a store on a file, as its only owner until it is closed or the process ends. Throws
 * STORE_UNAVAILABLE, with what to do about it: the file is another process's, not ours,
 * damaged, newer than we are, not to be written, or on a network file system.
 */
export async function openSqliteStore({ file, clock, serverUrl }: SqliteOptions): Promise<Store> {
  const isInMemory = file === IN_MEMORY;
  const migrations = readMigrations();
  const { db, lock } = isInMemory
    ? openDatabaseInMemory(migrations)
    : openDatabaseFile(file, serverUrl ?? null, migrations);
  const session = openSession(db);
  const storeClock = openStoreClock(db, clock);
  let saved = db.changeCount();
  const writer = createWriter({
    db,
    clock,
    file,
    changes: session.changes,
    flush() {
      session.queues.flush();
      if (db.changeCount() === saved) return;
      storeClock.save();
      saved = db.changeCount();
    },
    reload() {
      loadSession(session);
      storeClock.load();
    },
  });
  const steps = createSteps(session, storeClock, writer);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await writer.close();
    try {
      storeClock.stop();
    } finally {
      db.close();
      lock?.release();
    }
  }

  const store: Store = {
    capabilities: {
      label: isInMemory ? 'memory' : `sqlite:${file}`,
      durable: !isInMemory,
      // There are no other processes: this one owns the file.
      pushesWakeups: true,
    },
    namespaces: createNamespaceStore(steps),
    queues: createQueueStore(steps),
    tasks: createTaskStore(steps),
    attempts: createAttemptStore(steps),
    outputs: createOutputStore(steps),
    nodes: createNodeStore(steps),
    leases: createLeaseStore(steps),
    tokens: createTokenStore(steps),
    answers: {
      find: (key, step) => steps.take(step, (now) => findAnswer(db, key, now)),
      purge: (step) => steps.take(step, (now) => purgeAnswers(db, now, step.limit)),
    },
    now: () => steps.look(() => new Date(storeClock.now())),
    onChange: (listener) => session.changes.onChange(listener),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}
