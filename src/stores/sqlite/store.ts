import type { Clock, Finding, Store, StoreCapabilities } from '../../core/store/index.ts';
import { findAnswer, purgeAnswers } from './answers.ts';
import { createArchiveStore } from './archive-store.ts';
import { createAttemptStore } from './attempt-store.ts';
import type { Database } from './database.ts';
import { type OpenedFile, openDatabaseFile, openDatabaseInMemory } from './database-file.ts';
import { loadDue } from './due.ts';
import { examineDatabase } from './examination.ts';
import { createLeaseStore } from './lease-store.ts';
import { createNamespaceStore } from './namespace-store.ts';
import { createNodeStore } from './node-store.ts';
import { createOutputStore } from './output-store.ts';
import { createQueueStore } from './queue-store.ts';
import { readMigrations } from './schema-migration.ts';
import { createSession, loadCaches, type Session } from './session.ts';
import { toUnavailable } from './sqlite-error.ts';
import { createSteps } from './steps.ts';
import { openStoreClock, type StoreClock } from './store-clock.ts';
import { createTaskStore } from './task-store.ts';
import { createTokenStore } from './token-store.ts';
import { createWriter, type WriterParts } from './writer.ts';

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
  const opened = isInMemory
    ? openDatabaseInMemory(migrations)
    : openDatabaseFile(file, serverUrl ?? null, migrations);
  const capabilities: StoreCapabilities = {
    label: isInMemory ? 'memory' : `sqlite:${file}`,
    durable: !isInMemory,
    // There are no other processes: this one owns the file.
    pushesWakeups: true,
  };
  try {
    return assembleStore(opened, capabilities, clock);
  } catch (error) {
    opened.close();
    throw toUnavailable(error, opened.file) ?? error;
  }
}

function assembleStore(
  { db, file, close: closeFile }: OpenedFile,
  capabilities: StoreCapabilities,
  clock: Clock,
): Store {
  const session = createSession(db);
  load(session);
  const storeClock = openStoreClock(db, clock);
  const writer = createWriter({ clock, file, ...openSteps(session, storeClock) });
  const steps = createSteps(session, storeClock, writer);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await writer.close();
    try {
      storeClock.stop();
    } catch {
      // A failed disk is nothing new here, and the time saved last is ahead of all commits.
    }
    closeFile();
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
      find: (key, step) => steps.take(step, (now) => findAnswer(db, key, now)),
      purge: (step) => steps.take(step, (now) => purgeAnswers(db, now, step.limit)),
    },
    examine: () => steps.look(() => examineFile(db)),
    now: () => steps.look(() => new Date(storeClock.now())),
    onChange: (listener) => session.changes.onChange(listener),
    close() {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}

function examineFile(db: Database): Finding[] {
  const fresh = openDatabaseInMemory(readMigrations());
  try {
    return examineDatabase(db, fresh.db);
  } finally {
    fresh.close();
  }
}

function load(session: Session): void {
  loadCaches(session);
  loadDue(session);
}

/** What a commit takes with it, and what a rollback undoes, besides the rows of its steps. */
function openSteps(session: Session, storeClock: StoreClock): Omit<WriterParts, 'clock' | 'file'> {
  const { db, queues, changes } = session;
  let written = db.changeCount();
  return {
    db,
    changes,
    flush() {
      queues.flush();
      if (db.changeCount() === written) return;
      storeClock.save();
      written = db.changeCount();
    },
    reload() {
      load(session);
      storeClock.load();
    },
  };
}
