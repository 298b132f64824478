/** For tests of programs that use Batchyard: the real engine in memory, with time turned by hand. */
import type { Engine } from '../core/index.ts';
import { seededRandom } from '../core/index.ts';
import type { AnyHandler } from './define-handler.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type Batchyard, openBatchyard } from './open-batchyard.ts';

export { createFakeClock, type FakeClock } from './fake-clock.ts';

export interface TestKit extends AsyncDisposable {
  readonly engine: Engine;
  readonly submit: Batchyard['submit'];
  readonly clock: FakeClock;
  /**
   * Runs everything that can run, retries and delayed tasks included, by turning the clock as far as
   * `withinMs` (default an hour). Throws when tasks are left by then.
   */
  drain(withinMs?: number): Promise<void>;
}

export interface TestKitOptions {
  readonly handlers?: readonly AnyHandler[];
  /** When the test takes place. */
  readonly start?: Date;
  /** Choices and jitter are the same for the same seed. */
  readonly seed?: number;
}

const HOUR_MS = 3_600_000;
const STEP_MS = 1000;

export async function createTestKit(options: TestKitOptions = {}): Promise<TestKit> {
  const clock = createFakeClock(options.start ?? new Date(Date.UTC(2026, 0, 1, 12)));
  const yard = await openBatchyard({
    store: 'memory',
    handlers: options.handlers ?? [],
    clock,
    random: seededRandom(options.seed ?? 1),
    now: () => clock.now(),
  });
  const countUnfinished = async (): Promise<number> => {
    const { unfinished } = await yard.engine.tasks.wait({ filter: {}, timeoutMs: 0 });
    return unfinished;
  };
  return {
    engine: yard.engine,
    submit: yard.submit,
    clock,
    async drain(withinMs = HOUR_MS) {
      for (let passedMs = 0; ; passedMs += STEP_MS) {
        await clock.settle();
        const unfinished = await countUnfinished();
        if (unfinished === 0) return;
        if (passedMs >= withinMs)
          throw new Error(`${unfinished} tasks have not ended within ${withinMs} ms.`);
        await clock.advance(STEP_MS);
      }
    },
    async [Symbol.asyncDispose]() {
      const stopped = yard.stop();
      await clock.advance(HOUR_MS);
      await stopped;
    },
  };
}
