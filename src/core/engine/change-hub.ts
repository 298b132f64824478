/**
 * Lets calls wait for something to happen in a namespace.
 *
 * Work that became ready wakes one waiter at a time, so that a thousand idle
 * nodes do not all ask for the same task; a waiter that leaves work behind passes
 * the wake-up on. Everything else wakes all who listen.
 */
import type { Clock } from '../clock.ts';
import type { Store, StoreChange } from '../store/store.ts';

export interface ChangeHub extends Disposable {
  /** Taken before looking, and handed to `next`: what happens in between is then not missed. */
  mark(namespace: string): Mark;
  /** Resolves at a change after the mark, after `ms`, or when the signal aborts. */
  next(wait: Wait): Promise<void>;
  /** Wakes the next waiter that has not looked since the last work became ready. */
  passOn(namespace: string): void;
  /** Wakes everybody, for good: nothing waits any more. */
  close(): void;
}

export interface Mark {
  readonly ready: number;
  readonly any: number;
}

export interface Wait {
  readonly namespace: string;
  readonly kind: keyof Mark;
  readonly since: Mark;
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly kind: keyof Mark;
  readonly seen: number;
  readonly wake: () => void;
}

interface Room {
  ready: number;
  any: number;
  readonly waiters: Set<Waiter>;
}

export function createChangeHub(store: Pick<Store, 'onChange'>, clock: Clock): ChangeHub {
  const rooms = new Map<string, Room>();
  let closed = false;

  const roomOf = (namespace: string): Room => {
    const known = rooms.get(namespace);
    if (known) return known;
    const room: Room = { ready: 0, any: 0, waiters: new Set() };
    rooms.set(namespace, room);
    return room;
  };
  const wakeNext = ({ waiters, ready }: Room): void => {
    for (const { kind, seen, wake } of waiters) {
      if (kind !== 'ready' || seen >= ready) continue;
      wake();
      return;
    }
  };
  const onChange = ({ kind, namespace }: StoreChange): void => {
    const room = rooms.get(namespace);
    if (!room) return;
    room.any += 1;
    for (const waiter of [...room.waiters]) if (waiter.kind === 'any') waiter.wake();
    if (kind === 'output') return;
    room.ready += 1;
    wakeNext(room);
  };
  const subscription = store.onChange(onChange);

  const close = (): void => {
    closed = true;
    for (const { waiters } of rooms.values()) for (const { wake } of [...waiters]) wake();
  };

  return {
    close,
    mark: (namespace) => {
      const { ready, any } = roomOf(namespace);
      return { ready, any };
    },
    passOn: (namespace) => wakeNext(roomOf(namespace)),
    next: ({ namespace, kind, since, ms, signal }) =>
      new Promise((resolve) => {
        const room = roomOf(namespace);
        if (closed || ms <= 0 || signal?.aborted || room[kind] > since[kind]) return resolve();
        const wake = (): void => {
          room.waiters.delete(waiter);
          timer[Symbol.dispose]();
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const waiter: Waiter = { kind, seen: since[kind], wake };
        const timer = clock.after(ms, wake);
        signal?.addEventListener('abort', wake, { once: true });
        room.waiters.add(waiter);
      }),
    [Symbol.dispose]: () => {
      subscription[Symbol.dispose]();
      close();
    },
  };
}
