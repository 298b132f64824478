import type { Clock } from '../clock.ts';
import type { IdSource } from '../domain/ids.ts';
import type { Principal } from '../domain/principal.ts';
import type { Logger } from '../logger.ts';
import type { Random } from '../random.ts';
import type { Step } from '../store/step.ts';
import type { Store } from '../store/store.ts';
import type { ChangeHub } from './change-hub.ts';

/** What all operations of one engine share. */
export interface EngineContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly version: string;
  readonly changes: ChangeHub;
  /** What each step of the store is told: nothing, so that it takes its own clock, or a test's instant. */
  step(): Step;
}

/** What the operations of one handle know besides: who asks, and where. */
export interface Handle extends EngineContext {
  readonly principal: Principal;
  readonly namespace: string;
}

/** The instant that the store decides by. */
export async function storeNow(context: EngineContext): Promise<Date> {
  return context.step().now ?? (await context.store.now());
}
