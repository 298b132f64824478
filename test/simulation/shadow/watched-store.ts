import { BatchError } from '../../../src/core/errors.ts';
import type { Mutation, Once } from '../../../src/core/store/step.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { insist } from '../violation.ts';
import { callStore, type StoreCall } from '../world/store-methods.ts';
import { OBSERVERS } from './shadow-observers.ts';
import { checkCounts } from './shadow-queues.ts';
import { jsonOf, type Shadow } from './shadow-record.ts';
import { checkTask } from './shadow-tasks.ts';

/** Nothing is due then, so that a look at the counts does not change what it looks at. */
const LONG_AGO = new Date(0);

export const NAMESPACE = 'default';

/**
 * The store of the simulation: each step takes the store's own clock, and is held against the shadow
 * as soon as it was taken. Throws a Violation.
 */
export interface WatchedStore {
  take(call: StoreCall): Promise<unknown>;
}

type AnyObserver = (seen: unknown, ...args: readonly unknown[]) => void;

export function watchStore(store: Store, shadow: Shadow, nowMs: () => number): WatchedStore {
  const watch = ({ group, method, args }: StoreCall, answer: unknown, now: number): void => {
    const observers = OBSERVERS[group] as Record<string, AnyObserver> | undefined;
    observers?.[method]?.({ shadow, answer, now }, ...args);
  };

  return {
    async take(asked) {
      const now = nowMs();
      const call = { ...asked, args: atStoreTime(asked.args, now) };
      const once = onceOf(call.args);
      const kept = once && shadow.kept.get(once.key);
      const answer = await callStore(store, call).catch((error: unknown) => {
        if (!(error instanceof BatchError) || error.code !== 'KEY_REUSED') throw error;
        return error;
      });
      if (once && kept) {
        checkRepeated(shadow, once, kept, answer);
      } else {
        insist(
          !(answer instanceof BatchError),
          'one key, one effect',
          () => `the fresh key ${once?.key} is said to be used`,
        );
        watch(call, answer, now);
        if (once) {
          shadow.kept.set(once.key, { fingerprint: once.fingerprint, answer: jsonOf(answer) });
        }
      }
      await compare(store, shadow);
      if (answer instanceof BatchError) throw answer;
      return answer;
    },
  };
}

/** What the step changed is looked at again, and so are the counters. */
async function compare(store: Store, shadow: Shadow): Promise<void> {
  const { touched, removed, refused } = shadow;
  if (touched.size + removed.size + refused.size === 0) return;
  const ids = [...refused.keys(), ...removed, ...[...touched].map(({ id }) => id)];
  const tasks = await store.tasks.peek(NAMESPACE, ids);
  for (const [index, id] of ids.entries()) {
    const task = tasks[index] ?? null;
    const invariant = refused.get(id);
    if (invariant) insist(task === null, invariant, () => `task ${id} was made, and should not be`);
    else checkTask(id, task, shadow.tasks.get(id) ?? null);
  }
  touched.clear();
  removed.clear();
  refused.clear();
  checkCounts(shadow, await store.queues.counts(null, { now: LONG_AGO }));
}

function checkRepeated(
  shadow: Shadow,
  once: Once,
  kept: { readonly fingerprint: string; readonly answer: string },
  answer: unknown,
): void {
  const isSame = kept.fingerprint === once.fingerprint;
  shadow.sometimes.hit(isSame ? 'step repeated under its key' : 'key reused, refused');
  insist(
    isSame ? jsonOf(answer) === kept.answer : answer instanceof BatchError,
    'one key, one effect',
    () => `key ${once.key} again: ${jsonOf(answer)}, first ${kept.answer}`,
  );
}

/** A step is the last argument, wherever there is one. */
function atStoreTime(args: readonly unknown[], now: number): readonly unknown[] {
  const step = args.at(-1);
  if (typeof step !== 'object' || step === null || !('now' in step)) return args;
  return [...args.slice(0, -1), { ...step, now: new Date(now) }];
}

function onceOf(args: readonly unknown[]): Once | null {
  const step = args.at(-1);
  if (typeof step !== 'object' || step === null || !('now' in step)) return null;
  return (step as Mutation).once ?? null;
}
