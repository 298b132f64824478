import { describe, expect, it } from 'vitest';
import { after, NOON, seconds } from './support/builders.ts';
import { createFakeClock } from './support/fake-clock.ts';

describe('the fake clock', () => {
  it('stands still until it is turned', async () => {
    const clock = createFakeClock();

    expect([clock.now(), clock.monotonicMs()]).toEqual([NOON, 0]);
    await clock.advance(1500);
    expect([clock.now(), clock.monotonicMs()]).toEqual([after(NOON, 1500), 1500]);
  });

  it('fires timers in order, each at its own instant, and none before its time', async () => {
    const clock = createFakeClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name} ${clock.monotonicMs()}`);
    clock.after(200, note('late'));
    clock.after(100, note('first'));
    clock.after(100, note('second'));
    clock.after(1001, note('never'));

    await clock.advance(seconds(1));

    expect(fired).toEqual(['first 100', 'second 100', 'late 200']);
  });

  it('finishes what a timer sets going before the next one fires', async () => {
    const clock = createFakeClock();
    const steps: string[] = [];
    const work = async () => {
      for (let step = 0; step < 3; step++) {
        await clock.turn();
        steps.push(`turn ${step} at ${clock.monotonicMs()}`);
      }
      clock.after(0, () => steps.push(`inner at ${clock.monotonicMs()}`));
    };
    clock.after(1, () => void work());
    clock.after(2, () => steps.push('next'));

    await clock.advance(10);

    expect(steps).toEqual(['turn 0 at 1', 'turn 1 at 1', 'turn 2 at 1', 'inner at 1', 'next']);
  });

  it('forgets a timer that was disposed of', async () => {
    const clock = createFakeClock();
    let fired = false;
    clock
      .after(1, () => {
        fired = true;
      })
      [Symbol.dispose]();

    await clock.advance(10);

    expect(fired).toBe(false);
  });

  it('wakes a sleeper in time, or at once when its signal aborts', async () => {
    const clock = createFakeClock();
    const stop = new AbortController();
    const woken: string[] = [];
    void clock.sleep(50).then(() => woken.push('in time'));
    void clock.sleep(1000, stop.signal).then(() => woken.push('aborted'));
    void clock.sleep(1000, AbortSignal.abort()).then(() => woken.push('never slept'));

    await clock.settle();
    expect(woken).toEqual(['never slept']);
    await clock.advance(50);
    stop.abort();
    await clock.settle();

    expect(woken).toEqual(['never slept', 'in time', 'aborted']);
  });

  it('can be set like a clock on a wall, which timers do not notice', async () => {
    const clock = createFakeClock();
    let firedAt = 0;
    clock.after(100, () => {
      firedAt = clock.monotonicMs();
    });

    clock.set(new Date(0));
    await clock.advance(100);

    expect([clock.now(), firedAt]).toEqual([new Date(100), 100]);
  });

  it('says so when something waits by turning for ever', async () => {
    const clock = createFakeClock();
    let isOver = false;
    const spin = async () => {
      while (!isOver) await clock.turn();
    };
    void spin();

    await expect(clock.settle()).rejects.toThrow('Still busy');
    isOver = true;
  });
});
