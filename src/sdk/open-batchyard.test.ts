import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineHandler } from './define-handler.ts';
import { openBatchyard } from './open-batchyard.ts';
import { createTestKit } from './testing.ts';

const resize = defineHandler({
  name: 'resize',
  input: z.object({ file: z.string() }),
  run: ({ file }) => ({ done: file }),
});

describe('an embedded engine', () => {
  it('runs typed handlers in a queue of their own', async () => {
    await using yard = await openBatchyard({ store: 'memory', handlers: [resize] });

    const { id } = await yard.submit(resize, { file: 'a.jpg' });
    const { done } = await yard.engine.tasks.wait({ filter: { ids: [id] }, timeoutMs: 10_000 });

    expect(done).toBe(true);
    expect(await yard.engine.tasks.get(id)).toMatchObject({
      state: 'succeeded',
      result: { done: 'a.jpg' },
    });
  });

  it('refuses an input that does not fit its schema, and keeps nothing', async () => {
    await using yard = await openBatchyard({ store: 'memory', handlers: [resize] });

    const refused = yard.submit(resize, { file: 3 } as never);

    await expect(refused).rejects.toThrowError(/params\.file/);
    expect((await yard.engine.tasks.list()).items).toEqual([]);
  });

  it('hands a transaction of the caller on, which not every store can join', async () => {
    await using yard = await openBatchyard({ store: 'memory', handlers: [resize] });

    const refused = yard.submit(resize, { file: 'a.jpg' }, { tx: {} });

    await expect(refused).rejects.toThrowError(/^tx: memory cannot join a transaction/);
    expect((await yard.engine.tasks.list()).items).toEqual([]);
  });

  it('says what is wrong with a store that is none', async () => {
    await expect(openBatchyard({ store: 'nowhere' })).rejects.toThrowError(/sqlite:FILE/);
  });
});

describe('the test kit', () => {
  it('drains retries and delayed tasks by turning the clock', async () => {
    let tries = 0;
    const flaky = defineHandler({
      name: 'flaky',
      run: () => {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        return { tries };
      },
    });
    await using kit = await createTestKit({ handlers: [flaky] });
    const { id } = await kit.submit(flaky, null, { delayMs: 60_000 });

    await kit.drain();

    expect(await kit.engine.tasks.get(id)).toMatchObject({
      state: 'succeeded',
      result: { tries: 3 },
    });
    expect(kit.clock.monotonicMs()).toBeGreaterThanOrEqual(60_000);
  });

  it('says how many tasks are left when it cannot drain', async () => {
    await using kit = await createTestKit();
    await kit.engine.queues.create('nobody');
    await kit.engine.tasks.submit('nobody', [{}]);

    await expect(kit.drain(5000)).rejects.toThrowError('1 tasks have not ended within 5000 ms.');
  });
});
