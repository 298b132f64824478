import { describe, expect, it } from 'vitest';
import type { StreamCounts } from '../../src/api/contract/task-stream.ts';
import { connectEngine } from '../../src/client/connect-engine.ts';
import { systemClock } from '../../src/core/index.ts';
import { openApi } from './api-fixture.ts';
import { injectFetch } from './inject-fetch.ts';

function* lines(count: number, bad: readonly number[] = []): Generator<string> {
  for (let line = 1; line <= count; line++) {
    yield bad.includes(line) ? 'bad' : JSON.stringify({ params: { line } }, null, 2);
  }
}

const quickClock = { ...systemClock, sleep: async () => {} };

describe('tasks sent as a stream by the client', () => {
  it('arrive in order, with the bad ones named by their line in the whole', async () => {
    await using api = await openApi();
    await api.engine.queues.create('q/1');
    const progress: StreamCounts[] = [];

    const summary = await api.remote.submitStream('q/1', lines(12_000, [3, 7000, 12_000]), {
      onProgress: (counts) => progress.push(counts),
    });

    expect(summary).toMatchObject({ done: true, lines: 12_000, submitted: 11_997, failed: 3 });
    expect(summary.errors.map(({ line }) => line)).toEqual([3, 7000, 12_000]);
    expect(progress.map((counts) => counts.lines)).toEqual([5000, 10_000, 12_000]);
    const { claims } = await api.engine.attempts.claim({ node: 'n', limit: 5000 });
    expect(claims.map(({ params }) => (params as { line: number }).line)).toEqual(
      [...Array(5001).keys()].map((index) => index + 1).filter((line) => line !== 3),
    );
  });

  it('are added once, though answers are lost, and though all is sent again', async () => {
    await using api = await openApi();
    await api.engine.queues.create('q');
    const through = injectFetch(api.app);
    let calls = 0;
    const engine = connectEngine({
      url: 'http://localhost',
      clock: quickClock,
      fetch: async (input, init) => {
        const response = await through(input, init);
        calls += 1;
        if (calls % 2 === 1) throw new TypeError('fetch failed');
        return response;
      },
    });

    const first = await engine.submitStream('q', lines(7000), { idempotencyKey: 'load' });
    const second = await engine.submitStream('q', lines(7000), { idempotencyKey: 'load' });

    expect([first, second]).toMatchObject([{ submitted: 7000 }, { submitted: 7000 }]);
    expect((await api.engine.queues.countsOf('q')).queued).toBe(7000);
  });

  it('stop at what stops them', async () => {
    await using api = await openApi();

    const sending = api.remote.submitStream('none', lines(10));

    await expect(sending).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
  });

  it('may be none', async () => {
    await using api = await openApi();
    await api.engine.queues.create('q');

    expect(await api.remote.submitStream('q', [])).toMatchObject({ done: true, submitted: 0 });
  });
});
