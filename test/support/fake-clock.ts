import { createFakeClock as createClock, type FakeClock } from '../../src/sdk/fake-clock.ts';
import { NOON } from './builders.ts';

export type { FakeClock };

export function createFakeClock(start: Date = NOON): FakeClock {
  return createClock(start);
}
