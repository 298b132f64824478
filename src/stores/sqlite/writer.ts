import type { Clock } from '../../core/store/index.ts';
import type { Changes } from './changes.ts';
import type { Database } from './database.ts';
import { leavesDoubt, toUnavailable, unavailable } from './sqlite-error.ts';

/**
 * Runs every step of the store, many in one commit.
 *
 * Steps that come while a commit is under way, or in the same turn, share the next one: what
 * a commit costs is the sync. A step is a plain function on the database; its promise
 * resolves after the commit, so nobody is told of what may not last, and nobody sees it.
 */
export interface Writer {
  /** Rejects with STORE_UNAVAILABLE when the step could not be kept; then none of it was. */
  enqueue<Answer>(step: () => Answer): Promise<Answer>;
  /** Throws when steps are taken no more. */
  check(): void;
  /** Reads at once, where all there is is committed; else with the commit under way. */
  look<Answer>(read: () => Answer): Promise<Answer>;
  /** Finishes what was enqueued and takes no more. */
  close(): Promise<void>;
}

/** What a step returns to be refused without harm to the steps that share its commit. */
export class Refusal {
  readonly error: Error;
  constructor(error: Error) {
    this.error = error;
  }
}

export interface WriterParts {
  readonly db: Database;
  readonly clock: Clock;
  /** How the file is called in messages. */
  readonly file: string;
  readonly changes: Changes;
  /** Writes what the caches owe to the database. */
  readonly flush: () => void;
  /** Reads the caches again, after a rollback. */
  readonly reload: () => void;
}

interface Waiting {
  readonly step: () => unknown;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Done {
  readonly waiting: Waiting;
  readonly answer: unknown;
}

/** A group that has worked this long commits, and lets others have the process. */
const LONGEST_GROUP_MS = 20;
/** How long a commit waits for those it woke up: submit and claim then share it. */
const WAKE_TICKS = 30;

export function createWriter(parts: WriterParts): Writer {
  const { db, clock, file, changes, flush, reload } = parts;
  let queue: Waiting[] = [];
  let working: Promise<void> | null = null;
  let isClosed = false;
  let isCommitting = false;
  /** What went wrong so that nobody knows what the file holds. */
  let doubt: Error | null = null;

  async function work(): Promise<void> {
    while (queue.length > 0) {
      await clock.turn();
      await commitGroup();
    }
    working = null;
  }

  async function commitGroup(): Promise<void> {
    const done: Done[] = [];
    isCommitting = true;
    try {
      db.run('begin immediate');
      runQueued(done);
      for (let ticks = changes.raise() ? WAKE_TICKS : 0; ticks > 0; ticks--) {
        await Promise.resolve();
        if (queue.length === 0) continue;
        runQueued(done);
        changes.raise();
      }
      flush();
      db.run('commit');
    } catch (error) {
      recover(done, error);
      return;
    } finally {
      isCommitting = false;
    }
    for (const one of done) finish(one);
  }

  /** A step is on `done` before it runs, so that a failing one is answered too. */
  function runQueued(done: Done[]): void {
    const until = clock.monotonicMs() + LONGEST_GROUP_MS;
    let taken = 0;
    try {
      for (const waiting of queue) {
        taken += 1;
        const index = done.push({ waiting, answer: undefined }) - 1;
        done[index] = { waiting, answer: waiting.step() };
        if (clock.monotonicMs() > until) break;
      }
    } finally {
      queue = queue.slice(taken);
    }
  }

  function recover(done: readonly Done[], error: unknown): void {
    rollBack();
    const trouble = troubleOf(error);
    const isOneStepsFault = trouble === null && done.length > 1;
    // Nothing was done: not even a transaction could be begun.
    const failed = done.length > 0 ? done.map(({ waiting }) => waiting) : queue.splice(0);
    for (const waiting of failed) {
      if (isOneStepsFault) runAlone(waiting);
      else waiting.reject(trouble ?? error);
    }
  }

  function runAlone(waiting: Waiting): void {
    try {
      if (doubt) throw doubt;
      db.run('begin immediate');
      const answer = waiting.step();
      flush();
      db.run('commit');
      finish({ waiting, answer });
    } catch (error) {
      rollBack();
      waiting.reject(troubleOf(error) ?? error);
    }
  }

  function rollBack(): void {
    try {
      if (db.isTransaction()) db.rollBack();
      reload();
    } catch (error) {
      noteDoubt(error);
    }
  }

  function troubleOf(error: unknown): Error | null {
    if (leavesDoubt(error)) noteDoubt(error);
    return toUnavailable(error, file);
  }

  function noteDoubt(error: unknown): void {
    doubt ??=
      toUnavailable(error, file) ??
      unavailable(`${file} is in an unknown state`, 'Start again: it is read anew then.');
  }

  function check(): void {
    if (doubt) throw doubt;
    if (isClosed) throw unavailable(`${file} was closed`, 'Open it again.');
  }

  const enqueue: Writer['enqueue'] = (step) =>
    new Promise((resolve, reject) => {
      check();
      queue.push({ step, resolve: resolve as never, reject });
      working ??= work();
    });

  return {
    enqueue,
    async look(read) {
      check();
      return isCommitting ? enqueue(read) : read();
    },
    check,
    async close() {
      isClosed = true;
      await working;
    },
  };
}

function finish({ waiting, answer }: Done): void {
  if (answer instanceof Refusal) waiting.reject(answer.error);
  else waiting.resolve(answer);
}
