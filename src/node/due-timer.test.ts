import { expect, it } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createDueTimer } from './due-timer.ts';

function createTimer() {
  const clock = createFakeClock();
  const fired: number[] = [];
  return { clock, fired, timer: createDueTimer(clock, (nowMs) => fired.push(nowMs)) };
}

it('fires once, at the earliest of the instants wanted', async () => {
  const { clock, fired, timer } = createTimer();
  for (const atMs of [500, 300, 400]) timer.want(atMs);

  await clock.advance(1000);

  expect(fired).toEqual([300]);
});

it('fires again when asked again', async () => {
  const { clock, fired, timer } = createTimer();
  timer.want(100);
  await clock.advance(150);

  timer.want(120); // past already: at once
  await clock.advance(1);
  timer.want(400);
  await clock.advance(1000);

  expect(fired).toEqual([100, 150, 400]);
});

it('does not fire after it was disposed', async () => {
  const { clock, fired, timer } = createTimer();
  timer.want(100);
  timer[Symbol.dispose]();
  timer.want(50);

  await clock.advance(1000);

  expect(fired).toEqual([]);
});
