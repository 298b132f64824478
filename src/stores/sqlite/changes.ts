import type { StoreChange } from '../../core/store/index.ts';

type Listener = (change: StoreChange) => void;
type Place = Pick<StoreChange, 'namespace' | 'queueId'>;

/** What the steps of a commit have to tell, each thing once. */
export interface Changes {
  /** Something may be claimable: a task became ready, or room for one. */
  ready(place: Place): void;
  ended(place: Place): void;
  output(place: Place): void;
  /** Tells listeners; true when somebody was told of work, and may come for it at once. */
  raise(): boolean;
  onChange(listener: Listener): Disposable;
}

export function createChanges(): Changes {
  const listeners = new Set<{ readonly call: Listener }>();
  const told: Record<StoreChange['kind'], Map<string, Place>> = {
    ready: new Map(),
    ended: new Map(),
    output: new Map(),
  };

  const note = (kind: StoreChange['kind']) => (place: Place) => {
    if (listeners.size > 0) told[kind].set(place.queueId, place);
  };

  function tell(kind: StoreChange['kind']): void {
    if (told[kind].size === 0) return;
    const places = [...told[kind].values()];
    told[kind].clear();
    for (const { namespace, queueId } of places) {
      for (const { call } of listeners) callSafely(call, { kind, namespace, queueId });
    }
  }

  return {
    ready: note('ready'),
    ended: note('ended'),
    output: note('output'),
    raise() {
      const isWork = told.ready.size > 0;
      tell('ready');
      tell('ended');
      tell('output');
      return isWork;
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
