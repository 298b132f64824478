import { BatchError } from '../../../src/core/errors.ts';
import type { Store, StoreChange } from '../../../src/core/store/store.ts';
import { CRASH_POINTS, type CrashPoint } from '../sometimes.ts';
import type { SimProcess } from './sim-process.ts';
import { type StoreCall, storeThrough } from './store-methods.ts';
import type { World } from './world.ts';

/** As old as heads may be across processes, by the contract. */
const STALE_MS = 100;

const READS = new Set(['find', 'heads', 'counts', 'list', 'peek', 'nextDue', 'read', 'tail']);

type Returned = { readonly answer: unknown } | { readonly error: unknown };

/**
 * One process's connection to the store. A step is taken whole or not at all; the process may
 * die before or after it, and the connection may break before or after it.
 */
export function openStoreLink(
  world: World,
  process: SimProcess,
  crash: () => void = () => {},
): Store {
  const { time, chance, sometimes, plan } = world;
  let heads: { readonly answer: unknown; readonly atMs: number } | null = null;

  const delayMs = (): number => chance.between(0, plan.storeDelayMs);
  const breaks = (): boolean => !world.isCalm && chance.happens(plan.faults.storeBreaks / 2);
  const dies = (point: CrashPoint | null): point is CrashPoint =>
    point !== null &&
    !world.isCalm &&
    chance.happens(plan.faults.stepCrashes * CRASH_POINTS[point]);

  /** null: a violation ended the run. */
  const take = async (call: StoreCall): Promise<Returned | null> => {
    const { group, method, args } = call;
    const note = (words: () => string): void =>
      world.note(process.name, () => `${group}.${method} ${JSON.stringify(args)} -> ${words()}`);
    try {
      const answer = await world.watched.take(call);
      note(() => JSON.stringify(answer));
      return { answer };
    } catch (error) {
      note(() => String(error));
      if (error instanceof BatchError) return { error };
      world.fail(error);
      return null;
    }
  };

  /** What comes back of a call that has reached the store; null: nothing does. */
  const carryOut = async (call: StoreCall): Promise<Returned | null> => {
    const isRead = READS.has(call.method);
    const point = findCrashPoint(call);
    if (!process.isAlive) {
      const isTaken = chance.happens(0.5);
      if (!isTaken) sometimes.hit('server crashed before its step');
      else if (!isRead) sometimes.hit('server crashed between step and reply');
      if (isTaken) await take(call);
      return null;
    }
    if (dies(point)) {
      sometimes.hit(`server crashed before ${point}`);
      crash();
      return null;
    }
    if (breaks()) {
      sometimes.hit('store connection broke before the step');
      return { error: broken() };
    }
    const taken = await take(call);
    if (dies(point)) {
      sometimes.hit(`server crashed after ${point}`);
      crash();
      return null;
    }
    if (taken !== null && 'answer' in taken) {
      if (!isRead && !isEmpty(taken.answer)) heads = null;
      if (call.method === 'heads') heads = { answer: taken.answer, atMs: time.nowMs };
    }
    if (!breaks()) return taken;
    if (!isRead) sometimes.hit('store connection broke after the step');
    return { error: broken() };
  };

  const findOldHeads = ({ method }: StoreCall): Returned | null => {
    if (method !== 'heads' || heads === null || time.nowMs - heads.atMs > STALE_MS) return null;
    if (!chance.happens(plan.staleHeads)) return null;
    sometimes.hit('old heads answered');
    return heads;
  };

  const run = (call: StoreCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const answer = (returned: Returned): void => {
        process.schedule(delayMs(), () => {
          if ('error' in returned) reject(returned.error);
          else resolve(returned.answer);
        });
      };
      const old = findOldHeads(call);
      if (old !== null) answer(old);
      else {
        time.after(delayMs(), () => {
          carryOut(call).then((returned) => returned && answer(returned), world.fail);
        });
      }
    });

  return storeThrough(run, {
    capabilities: { label: 'simulated', durable: true, pushesWakeups: true },
    now: () =>
      new Promise((resolve) => {
        const now = new Date(world.storeNowMs());
        process.schedule(delayMs(), () => resolve(now));
      }),
    onChange: (listener) => hearChanges(world, process, listener),
  });
}

function broken(): BatchError {
  return new BatchError('STORE_UNAVAILABLE', {
    problem: 'the connection broke',
    remedy: 'Try again.',
  });
}

function findCrashPoint({ group, method }: StoreCall): CrashPoint | null {
  const name = `${group}.${method}`;
  return Object.hasOwn(CRASH_POINTS, name) ? (name as CrashPoint) : null;
}

/** A claim that gave nothing wrote nothing. */
function isEmpty(answer: unknown): boolean {
  return Array.isArray(answer) && answer.length === 0;
}

/** Changes are hints: they come late, once for many, or not at all. */
function hearChanges(
  world: World,
  process: SimProcess,
  listener: (change: StoreChange) => void,
): Disposable {
  const { chance, sometimes, plan } = world;
  const pending = new Set<string>();
  const subscription = world.store.onChange((change) => {
    if (!process.isAlive) return subscription[Symbol.dispose]();
    if (pending.has(change.kind)) return;
    if (!world.isCalm && chance.happens(plan.faults.lostWakeups)) {
      sometimes.hit('wake-up lost');
      return;
    }
    pending.add(change.kind);
    process.schedule(chance.between(0, plan.storeDelayMs), () => {
      pending.delete(change.kind);
      listener(change);
    });
  });
  return subscription;
}
