import type { Finding } from '../domain/finding.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { AttemptStore } from './attempt-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { NamespaceStore } from './namespace-store.ts';
import type { NodeStore } from './node-store.ts';
import type { OutputStore } from './output-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { AnswerStore, Step } from './step.ts';
import type { TaskStore } from './task-store.ts';
import type { TokenStore } from './token-store.ts';

/**
 * What remembers. Each method is one atomic step, durable when it resolves, and
 * holds no policy beyond the rules it is handed. A store throws only when it cannot
 * be used (STORE_UNAVAILABLE) and for a `once` key of another request (KEY_REUSED);
 * everything else is an answer.
 *
 * Json values come back as JSON.parse(JSON.stringify(value)) gives them, texts and bytes
 * as they were; nothing handed in or out is shared with the caller. Names are in order of
 * UTF-16 code units. A page's `next` is null when nothing follows.
 */
export interface Store extends AsyncDisposable {
  readonly capabilities: StoreCapabilities;
  readonly namespaces: NamespaceStore;
  readonly queues: QueueStore;
  readonly tasks: TaskStore;
  readonly attempts: AttemptStore;
  readonly outputs: OutputStore;
  readonly nodes: NodeStore;
  readonly leases: LeaseStore;
  readonly tokens: TokenStore;
  readonly archive: ArchiveStore;
  readonly answers: AnswerStore;
  /**
   * What an operator should know of the store itself: indexes, space, settings that endanger data,
   * versions. It reads only, and may take seconds.
   */
  examine(step: Step): Promise<readonly Finding[]>;
  /** The store's own clock. */
  now(): Promise<Date>;
  /**
   * Calls back when something may have become claimable in a namespace, or a task there
   * ended or wrote output. A hint: it may come twice, early, or not at all, so listeners
   * also look by themselves.
   */
  onChange(listener: (change: StoreChange) => void): Disposable;
  /** Finishes what was begun and lets go; called twice, it does nothing more. */
  close(): Promise<void>;
}

export interface StoreCapabilities {
  /** What this store is called in messages: `sqlite:batchyard.db`, `memory`. Never holds a password. */
  readonly label: string;
  /** False: data are gone when the process ends. */
  readonly durable: boolean;
  /** Other processes' changes reach `onChange`. */
  readonly pushesWakeups: boolean;
}

export interface StoreChange {
  readonly kind: 'ready' | 'ended' | 'output';
  readonly namespace: string;
  readonly queueId: string;
}
