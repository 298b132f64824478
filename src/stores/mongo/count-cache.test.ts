import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { noCounts } from '../../core/store/index.ts';
import { createCountCache } from './count-cache.ts';

function countsOf(queued: number) {
  return new Map([['q', { ...noCounts(), queued }]]);
}

function cacheAndReads() {
  const clock = createFakeClock();
  const reads = { count: 0, queued: 5 };
  const cache = createCountCache(clock);
  const read = async () => {
    reads.count += 1;
    return countsOf(reads.queued);
  };
  const queued = async () => (await cache.get(['q'], read)).get('q')?.queued;
  return { clock, cache, reads, queued };
}

describe('counts in hand', () => {
  it('are read once for a while, then again', async () => {
    const { clock, reads, queued } = cacheAndReads();

    expect([await queued(), await queued(), reads.count]).toEqual([5, 5, 1]);
    reads.queued = 7;
    await clock.advance(100);

    expect([await queued(), reads.count]).toEqual([7, 2]);
  });

  it('move with what this process writes', async () => {
    const { cache, reads, queued } = cacheAndReads();
    await queued();

    await cache.during(async () => ({
      answer: null,
      moves: [{ queueId: 'q', from: 'queued', to: 'running', count: 2 }],
    }));

    expect([await queued(), reads.count]).toEqual([3, 1]);
  });

  it('are read again after a write that cannot say what it moved, or failed', async () => {
    const { cache, reads, queued } = cacheAndReads();
    await queued();

    await cache.during(async () => ({ answer: null, moves: null }));
    await queued();
    await expect(
      cache.during(async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await queued();

    expect(reads.count).toBe(3);
  });

  it('are not taken from a reading that met a write: nobody knows what it counted', async () => {
    const { clock, cache, reads, queued } = cacheAndReads();
    await queued();
    await clock.advance(100);
    reads.queued = 100;

    const write = cache.during(async () => {
      await queued();
      return { answer: null, moves: [{ queueId: 'q', from: null, to: 'queued' }] };
    });
    await write;

    expect(await queued()).toBe(6);
  });

  it('shared with nobody: what is done to an answer changes no other', async () => {
    const { cache, queued } = cacheAndReads();
    const answer = await cache.get(['q'], async () => countsOf(5));
    const own = answer.get('q');
    if (own) own.queued = 99;

    expect(await queued()).toBe(5);
  });
});
