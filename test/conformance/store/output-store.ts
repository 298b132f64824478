import { describe, expect, it } from 'vitest';
import type { OutputAppend, OutputChunk, Store } from '../../../src/core/store/index.ts';
import {
  after,
  anId,
  aSettlement,
  at,
  bytes,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import { addClaimed, addQueue, addTask, claimOne, stateOf } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

type Ref = Pick<OutputAppend, 'taskId' | 'fence'>;
type Chunk = OutputAppend['chunks'][number];

const LATER = after(NOON, seconds(1));

const chunk = (number: number, text = `chunk ${number}`): Chunk => ({
  number,
  stream: 'stdout',
  offset: number * 100,
  bytes: textBytes(text),
});

function append(store: Store, { taskId, fence }: Ref, chunks: readonly Chunk[], now = NOON) {
  return store.outputs.append({ namespace: 'default', taskId, fence, chunks }, at(now));
}

function read(store: Store, { taskId, fence }: Ref, from = 0, limitBytes = 1_000_000) {
  return store.outputs.read({ taskId, fence, after: from, limitBytes });
}

const numbers = (chunks: readonly OutputChunk[]) => chunks.map(({ number }) => number);

export function outputStoreConformance(subject: StoreUnderTest): void {
  describe('outputs', () => {
    it('keep chunks of a live attempt as they were, with the instant they came', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      const chunks: Chunk[] = [
        { number: 1, stream: 'stdout', offset: 0, bytes: bytes(...Array(256).keys()) },
        { number: 2, stream: 'stderr', offset: 0, bytes: bytes() },
        {
          number: 3,
          stream: 'system',
          offset: 5_000_000_000,
          bytes: textBytes('dropped 😀 \u0000'),
        },
      ];

      expect(await append(store, claim, chunks)).toBe('kept');

      expect(await read(store, claim)).toEqual(chunks.map((one) => ({ ...one, at: NOON })));
    });

    it('leave a chunk as it is whose number is there already', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await append(store, claim, [chunk(1, 'first'), chunk(2)]);

      expect(
        await append(store, claim, [chunk(1, 'other'), chunk(3), chunk(3, 'twice')], LATER),
      ).toBe('kept');

      expect(await read(store, claim)).toEqual([
        { ...chunk(1, 'first'), at: NOON },
        { ...chunk(2), at: NOON },
        { ...chunk(3), at: LATER },
      ]);
    });

    it('keep nothing of an attempt that is not the live one', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1000 });
      const stale = await addClaimed(store, queue);
      await store.attempts.expireDue({ now: LATER, limit: 9 });
      const waiting = { taskId: await addTask(store, queue), fence: 1 };

      expect(await append(store, stale, [chunk(1)], LATER)).toBe('lost');
      const fresh = await claimOne(store, queue, {}, LATER);
      expect(await append(store, stale, [chunk(1)], LATER)).toBe('lost');
      expect(await append(store, { ...fresh, fence: 9 }, [chunk(1)], LATER)).toBe('lost');
      expect(await append(store, waiting, [chunk(1)], LATER)).toBe('lost');
      expect(await append(store, { taskId: anId(), fence: 1 }, [chunk(1)], LATER)).toBe('lost');
      await store.attempts.settle('default', [aSettlement(fresh)], at(LATER));
      expect(await append(store, fresh, [chunk(1)], LATER)).toBe('lost');
      for (const ref of [stale, fresh]) expect(await read(store, ref)).toEqual([]);
    });

    it('keep nothing for another namespace', async () => {
      await using store = await subject.open();
      const { taskId, fence } = await addClaimed(store, await addQueue(store));

      const foreign = { namespace: 'theirs', taskId, fence, chunks: [chunk(1)] };

      expect(await store.outputs.append(foreign, at(NOON))).toBe('lost');
      expect(await read(store, { taskId, fence })).toEqual([]);
    });

    it('are kept past the lease’s end while nobody detached it', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store, { leaseMs: 10 }));

      expect(await append(store, claim, [chunk(1)], LATER)).toBe('kept');
    });

    it('stay readable after the attempt has ended, each attempt’s by itself', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const first = await addClaimed(store, queue);
      await append(store, first, [chunk(1, 'one')]);
      await store.attempts.settle(
        'default',
        [aSettlement(first, { outcome: 'released' })],
        at(NOON),
      );
      const second = await claimOne(store, queue);
      await append(store, second, [chunk(1, 'two')]);
      await store.attempts.settle('default', [aSettlement(second)], at(NOON));

      expect(await read(store, first)).toMatchObject([{ bytes: textBytes('one') }]);
      expect(await read(store, second)).toMatchObject([{ bytes: textBytes('two') }]);
    });
  });

  describe('outputs.read', () => {
    it('gives chunks by number, whatever order they came in, after a number', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await append(store, claim, [chunk(12), chunk(2)]);
      await append(store, claim, [chunk(7), chunk(100), chunk(1)]);

      expect(numbers(await read(store, claim))).toEqual([1, 2, 7, 12, 100]);
      expect(numbers(await read(store, claim, 2))).toEqual([7, 12, 100]);
      expect(numbers(await read(store, claim, 3))).toEqual([7, 12, 100]);
      expect(await read(store, claim, 100)).toEqual([]);
    });

    it('stops about the limit, but gives at least one', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      const ten = 'x'.repeat(10);
      await append(
        store,
        claim,
        Array.from({ length: 50 }, (_, index) => chunk(index + 1, ten)),
      );

      expect(numbers(await read(store, claim, 0, 1))).toEqual([1]);
      const some = await read(store, claim, 0, 100);
      expect(some.length).toBeGreaterThanOrEqual(9);
      expect(some.length).toBeLessThanOrEqual(11);
      const all: number[] = [];
      for (let page = await read(store, claim, 0, 70); page.length > 0; ) {
        all.push(...numbers(page));
        page = await read(store, claim, all.at(-1), 70);
      }
      expect(all).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });

    it('gives none of an attempt or task that is unknown', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));

      expect(await read(store, claim)).toEqual([]);
      expect(await read(store, { ...claim, fence: 7 })).toEqual([]);
      expect(await read(store, { taskId: anId(), fence: 1 })).toEqual([]);
    });
  });

  describe('outputs.tail', () => {
    it('gives the last chunks that hold at least so many bytes, by number', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      const { taskId, fence } = claim;
      await append(store, claim, [
        chunk(1, 'aaaa'),
        chunk(2, 'bbbb'),
        chunk(3, ''),
        chunk(4, 'cccc'),
      ]);
      const tail = async (limitBytes: number) =>
        numbers(await store.outputs.tail({ taskId, fence, limitBytes }));

      expect(await tail(1)).toEqual([4]);
      expect(await tail(4)).toEqual([4]);
      expect(await tail(5)).toEqual([2, 3, 4]);
      expect(await tail(9)).toEqual([1, 2, 3, 4]);
      expect(await tail(1000)).toEqual([1, 2, 3, 4]);
      expect(await store.outputs.tail({ taskId: anId(), fence, limitBytes: 9 })).toEqual([]);
      expect(await stateOf(store, taskId)).toBe('running');
    });
  });
}
