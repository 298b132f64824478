import type { Collection } from 'mongodb';
import type { Clock } from '../../core/store/index.ts';
import { isDuplicateKey, unavailable } from './mongo-error.ts';

interface LockDocument {
  readonly _id: string;
  readonly holder: string;
  readonly lockedUntil: Date;
}

/** Longer than a step under a lock ever takes; a process that dies holding one frees it by this. */
const LOCK_MS = 5000;
/** A step that has taken this long writes no more: its lock may soon be another's. */
const SAFE_MS = 4000;
const RETRY_MS = 2;
const LONGEST_RETRY_MS = 25;
const LONGEST_WAIT_MS = 30_000;

export function queueLock({ id }: { readonly id: string }): string {
  return `queue:${id}`;
}

export function namespaceLock(name: string): string {
  return `namespace:${name}`;
}

export function nodeLock(namespace: string, node: string): string {
  return `node:${namespace}\n${node}`;
}

export interface Locks {
  /** Runs alone under all of the names, in this process and in others. */
  hold<Answer>(
    names: readonly string[],
    run: (held: HeldLocks) => Promise<Answer>,
  ): Promise<Answer>;
  /** Runs alone under the name in this process only. */
  holdLocally<Answer>(name: string, run: () => Promise<Answer>): Promise<Answer>;
}

export interface HeldLocks {
  /** Throws when the locks may be over soon: call it before a write that counts on them. */
  check(): void;
}

/** An update that makes the holder the holder where nobody is, and changes nothing otherwise. */
export function takeOver(holder: string): object[] {
  // A field that is missing sorts before every date.
  const isFree = { $lte: ['$lockedUntil', '$$NOW'] };
  const mine = { holder: { $literal: holder }, lockedUntil: { $add: ['$$NOW', LOCK_MS] } };
  const keep = (field: keyof typeof mine) => ({ $cond: [isFree, mine[field], `$${field}`] });
  return [{ $set: { holder: keep('holder'), lockedUntil: keep('lockedUntil') } }];
}

export function createLocks(
  collection: Collection<LockDocument>,
  { clock, newToken }: { readonly clock: Clock; readonly newToken: () => string },
): Locks {
  const queues = new Map<string, Promise<unknown>>();

  async function holdLocally<Answer>(name: string, run: () => Promise<Answer>): Promise<Answer> {
    const before = queues.get(name);
    const mine = (before ?? Promise.resolve()).then(run, run);
    const done = mine.catch(() => {});
    queues.set(name, done);
    try {
      return await mine;
    } finally {
      if (queues.get(name) === done) queues.delete(name);
    }
  }

  async function acquire(name: string, holder: string): Promise<void> {
    const deadline = clock.monotonicMs() + LONGEST_WAIT_MS;
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_RETRY_MS)) {
      if (await take(name, holder)) return;
      if (clock.monotonicMs() > deadline) {
        throw unavailable(`the lock "${name}" stays taken`, 'Try again shortly.');
      }
      await clock.sleep(waitMs);
    }
  }

  /** By the server's clock. */
  async function take(name: string, holder: string): Promise<boolean> {
    try {
      const lock = await collection.findOneAndUpdate({ _id: name }, takeOver(holder), {
        upsert: true,
        returnDocument: 'after',
      });
      return lock?.holder === holder;
    } catch (error) {
      // Two made it at once.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async function holdOne<Answer>(name: string, run: () => Promise<Answer>): Promise<Answer> {
    return holdLocally(name, async () => {
      const holder = newToken();
      await acquire(name, holder);
      try {
        return await run();
      } finally {
        await collection.deleteOne({ _id: name, holder });
      }
    });
  }

  return {
    holdLocally,
    hold(names, run) {
      // Always in one order, so that two calls never wait for each other.
      const ordered = [...new Set(names)].sort();
      const nest = (index: number): ReturnType<typeof run> => {
        const name = ordered[index];
        if (name !== undefined) return holdOne(name, () => nest(index + 1));
        const since = clock.monotonicMs();
        return run({
          check() {
            if (clock.monotonicMs() - since < SAFE_MS) return;
            throw unavailable('a step took too long under its lock', 'Try again.');
          },
        });
      };
      return nest(0);
    },
  };
}
