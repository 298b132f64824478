import type { StoreChange } from '../../core/store/index.ts';

export type Place = Pick<StoreChange, 'namespace' | 'queueId'>;
type Kind = StoreChange['kind'];

/** What a step has to tell once it is committed, each thing once. */
export interface Notes {
  note(kind: Kind, place: Place): void;
  list(): StoreChange[];
}

export function createNotes(): Notes {
  const noted = new Map<string, StoreChange>();
  return {
    note(kind, { namespace, queueId }) {
      noted.set(`${kind} ${queueId}`, { kind, namespace, queueId });
    },
    list: () => [...noted.values()],
  };
}

type Listener = (change: StoreChange) => void;

/** Tells the listeners of this process, and hands what happened here on to the other ones. */
export interface Changes {
  /** Something committed here. */
  raise(changes: readonly StoreChange[]): void;
  /** Something committed elsewhere. */
  hear(changes: readonly StoreChange[]): void;
  /** How often something was heard: what was read at another number may be old. */
  heardCount(): number;
  onChange(listener: Listener): Disposable;
}

export function createChanges(handOn: (changes: readonly StoreChange[]) => void): Changes {
  const listeners = new Set<{ readonly call: Listener }>();
  let heard = 0;

  function tellHere(changes: readonly StoreChange[]): void {
    for (const change of changes) {
      for (const { call } of listeners) callSafely(call, { ...change });
    }
  }
  return {
    heardCount: () => heard,
    hear(changes) {
      heard += 1;
      tellHere(changes);
    },
    raise(changes) {
      if (changes.length === 0) return;
      tellHere(changes);
      handOn(changes);
    },
    onChange(call) {
      const listener = { call };
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

/** A listener's bug is its own: it must not undo the steps it is told of. */
function callSafely(call: Listener, change: StoreChange): void {
  try {
    call(change);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
