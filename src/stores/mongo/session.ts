import type { Clock, StoreChange } from '../../core/store/index.ts';
import type { Crowds } from './crowds.ts';
import type { Locks } from './locks.ts';
import type { QueueDirectory } from './queue-lookup.ts';
import type { ServerTime } from './server-time.ts';
import type { Spaces } from './spaces.ts';

/** What every step works with. */
export interface Session {
  readonly spaces: Spaces;
  readonly directory: QueueDirectory;
  readonly locks: Locks;
  readonly crowds: Crowds;
  readonly time: ServerTime;
  readonly clock: Clock;
  /** Text that nobody else ever has: names a write, a claim, a holder. */
  newToken(): string;
  tell(changes: readonly StoreChange[]): void;
}
