import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../src/client/connect-engine.ts';
import { bytes } from '../support/builders.ts';
import { type ApiFixture, openApi } from './api-fixture.ts';
import { injectFetch } from './inject-fetch.ts';
import { aQuickClock } from './quick-clock.ts';

/** Does what is asked, then loses the answer of the first call to each address. */
function losingAnswers(app: ApiFixture['app']): { fetch: typeof fetch; lost: string[] } {
  const lost: string[] = [];
  const through = injectFetch(app);
  return {
    lost,
    fetch: async (input, init) => {
      const response = await through(input, init);
      const key = `${init?.method} ${new URL(String(input)).pathname}`;
      if (lost.includes(key)) return response;
      lost.push(key);
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    },
  };
}

describe('a call whose answer is lost', () => {
  it('is repeated and happens once', async () => {
    await using api = await openApi();
    const { fetch, lost } = losingAnswers(api.app);
    const { clock } = aQuickClock();
    const engine = connectEngine({ url: 'http://localhost', fetch, clock });

    await engine.queues.create('q');
    const [task] = await engine.tasks.submit('q', [{ params: 1 }, { params: 2 }]);
    const { claims } = await engine.attempts.claim({ node: 'n', limit: 1 });
    const [claim] = claims;
    const chunk = { number: 1, stream: 'stdout' as const, offset: 0, bytes: bytes(1, 2) };
    await engine.outputs.append(claim?.taskId ?? '', claim?.fence ?? 0, [chunk]);
    const item = { taskId: claim?.taskId ?? '', fence: claim?.fence ?? 0 };
    const [settled] = await engine.attempts.settle([
      { ...item, outcome: 'succeeded', emit: [{ queue: 'q', params: 3 }] },
    ]);
    await engine.queues.delete('q', { tasks: 'delete' });

    expect(lost).toHaveLength(6);
    expect(claim?.taskId).toBe(task?.id);
    expect(settled?.status).toBe('repeated');
    expect(await api.engine.queues.list()).toMatchObject({ items: [] });
  });

  it('adds a task once, and emits once', async () => {
    await using api = await openApi();
    await api.engine.queues.create('q');
    const { fetch } = losingAnswers(api.app);
    const { clock } = aQuickClock();
    const engine = connectEngine({ url: 'http://localhost', fetch, clock });

    await engine.tasks.submit('q', [{}]);
    const { claims } = await engine.attempts.claim({ node: 'n' });
    const items = claims.map(({ taskId, fence }) => ({
      taskId,
      fence,
      outcome: 'succeeded' as const,
      emit: [{ queue: 'q' }],
    }));
    await engine.attempts.settle(items);

    expect(await api.engine.queues.countsOf('q')).toMatchObject({ queued: 1, succeeded: 1 });
  });

  it('is not repeated where that would be a second call', async () => {
    await using api = await openApi();
    await api.engine.queues.create('q');
    const [task] = await api.engine.tasks.submit('q', [{}]);
    const { fetch, lost } = losingAnswers(api.app);
    const engine = connectEngine({ url: 'http://localhost', fetch, clock: aQuickClock().clock });

    const claiming = engine.attempts.claimTask(task?.id ?? '', { node: 'n' });

    await expect(claiming).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
    expect(lost).toHaveLength(1);
    expect((await api.engine.tasks.get(task?.id ?? '')).claimCount).toBe(1);
  });
});
