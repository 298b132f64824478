import { BatchError } from '../../../src/core/errors.ts';
import type { Store, StoreChange } from '../../../src/core/store/store.ts';
import { CRASH_POINTS, type CrashPoint } from '../sometimes.ts';
import type { SimProcess } from './sim-process.ts';
import { type StoreCall, storeThrough } from './store-methods.ts';
import type { World } from './world.ts';

/** As old as heads may be across processes, by the contract. */
const STALE_MS = 100;

const READS = new Set(['find', 'heads', 'counts', 'list', 'peek', 'nextDue', 'read', 'tail']);

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
  const dies = (point: CrashPoint | null): point is CrashPoint =>
    point !== null &&
    !world.isCalm &&
    chance.happens(plan.faults.stepCrashes * CRASH_POINTS[point]);
  let heads: { readonly answer: unknown; readonly atMs: number } | null = null;

  const broken = (): BatchError =>
    new BatchError('STORE_UNAVAILABLE', { problem: 'the connection broke', remedy: 'Try again.' });
  const breaks = (): boolean => !world.isCalm && chance.happens(plan.faults.storeBreaks / 2);
  const describe = ({ group, method, args }: StoreCall): string =>
    `${group}.${method} ${JSON.stringify(args)}`;

  /** Resolves to null when a violation ended the run. */
  const take = async (call: StoreCall): Promise<{ answer: unknown } | null> => {
    try {
      const answer = await world.watched.take(call);
      world.note(process.name, () => `${describe(call)} -> ${JSON.stringify(answer)}`);
      return { answer };
    } catch (error) {
      world.note(process.name, () => `${describe(call)} -> ${error}`);
      if (error instanceof BatchError) throw error;
      world.fail(error);
      return null;
    }
  };

  const run = (call: StoreCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const isRead = READS.has(call.method);
      const reply = (act: () => void) =>
        process.schedule(chance.between(0, plan.storeDelayMs), act);
      const arrive = (): void => {
        if (!process.isAlive) {
          const isTaken = chance.happens(0.5);
          if (!isTaken) sometimes.hit('server crashed before its step');
          else if (!isRead) sometimes.hit('server crashed between step and reply');
          if (isTaken) take(call).catch(() => {});
          return;
        }
        const point = findCrashPoint(call);
        if (dies(point)) {
          sometimes.hit(`server crashed before ${point}`);
          crash();
          return;
        }
        if (breaks()) {
          sometimes.hit('store connection broke before the step');
          reply(() => reject(broken()));
          return;
        }
        take(call).then(
          (taken) => {
            if (taken === null) return;
            if (dies(point)) {
              sometimes.hit(`server crashed after ${point}`);
              crash();
              return;
            }
            if (!isRead && !isEmpty(taken.answer)) heads = null;
            if (call.method === 'heads') heads = { answer: taken.answer, atMs: time.nowMs };
            if (breaks()) {
              if (!isRead) sometimes.hit('store connection broke after the step');
              reply(() => reject(broken()));
            } else reply(() => resolve(taken.answer));
          },
          (error: unknown) => reply(() => reject(error)),
        );
      };
      if (call.method === 'heads' && heads !== null && time.nowMs - heads.atMs <= STALE_MS) {
        const { answer } = heads;
        if (chance.happens(plan.staleHeads)) {
          sometimes.hit('old heads answered');
          reply(() => resolve(answer));
          return;
        }
      }
      time.after(chance.between(0, plan.storeDelayMs), arrive);
    });

  return storeThrough(run, {
    capabilities: { label: 'simulated', durable: true, pushesWakeups: true },
    now: () =>
      new Promise((resolve) => {
        const now = new Date(world.storeNowMs());
        process.schedule(chance.between(0, plan.storeDelayMs), () => resolve(now));
      }),
    onChange: (listener) => hearChanges(world, process, listener),
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
