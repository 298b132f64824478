import { describe, expect, it } from 'vitest';
import type { Engine, OutputChunk, OutputPage } from '../../../src/core/index.ts';
import { seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claimOne, expectRefusal, letCallsArrive, settle, submitOne, turnUntil } from './scene.ts';

const NO_TASK = '000000000000000000000000';

export function outputOperations(subject: EngineUnderTest): void {
  describe('outputs', () => {
    it('come back as they were written, by number, with their time', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const { id, fence } = await running(engine);
      const bytes = Uint8Array.of(0, 255, 10, 128);

      await engine.outputs.append(id, fence, [
        chunk(1, 'hello\n'),
        { number: 2, stream: 'stderr', offset: 0, bytes },
      ]);

      const page = await engine.outputs.read(id);
      expect(page).toMatchObject({ fence, ended: false });
      expect(page.chunks.map(({ number, stream, offset }) => [number, stream, offset])).toEqual([
        [1, 'stdout', 0],
        [2, 'stderr', 0],
      ]);
      expect(Buffer.from(page.chunks[1]?.bytes ?? [])).toEqual(Buffer.from(bytes));
      expect(page.chunks[0]?.at).toEqual(clock.now());
    });

    it('said again stay as they are', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      await engine.outputs.append(id, fence, [chunk(1, 'first')]);

      await engine.outputs.append(id, fence, [chunk(1, 'again'), chunk(2, '!')]);

      expect(text(await engine.outputs.read(id))).toBe('first!');
    });

    it('are refused when the lease is lost', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      await settle(engine, { taskId: id, fence }, 'succeeded');

      const late = engine.outputs.append(id, fence, [chunk(1, 'late')]);

      await expectRefusal(late, 'LEASE_LOST', { task: id, fence: String(fence) });
      await expectRefusal(engine.outputs.append(NO_TASK, 1, [chunk(1, 'x')]), 'LEASE_LOST');
    });

    it('read goes on after a number, and gives about as much as asked', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      const lines = Array.from({ length: 10 }, (_, i) =>
        chunk(i + 1, `line ${i + 1}\n`.padEnd(100)),
      );
      await engine.outputs.append(id, fence, lines);

      const first = await engine.outputs.read(id, { limitBytes: 250 });
      const last = first.chunks.at(-1)?.number ?? 0;
      expect(last).toBeGreaterThanOrEqual(1);
      expect(last).toBeLessThan(10);
      const rest = await engine.outputs.read(id, { after: last });
      expect(rest.chunks.map(({ number }) => number)).toEqual(
        Array.from({ length: 10 - last }, (_, i) => last + 1 + i),
      );
    });

    it('say that they have ended once the attempt has and all was read', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      await engine.outputs.append(id, fence, [chunk(1, 'almost '), chunk(2, 'all')]);
      expect((await engine.outputs.read(id, { after: 2 })).ended).toBe(false);

      await settle(engine, { taskId: id, fence }, 'succeeded');

      expect(text(await engine.outputs.read(id))).toBe('almost all');
      expect(await engine.outputs.read(id, { limitBytes: 1 })).toMatchObject({ ended: false });
      expect(await engine.outputs.read(id, { after: 2 })).toEqual({
        fence,
        chunks: [],
        ended: true,
      });
    });

    it('read waits for more, and gives it without time passing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      await engine.outputs.append(id, fence, [chunk(1, 'old')]);
      const waits = engine.outputs.read(id, { after: 1, waitMs: seconds(20) });
      await letCallsArrive(engine);

      await engine.outputs.append(id, fence, [chunk(2, 'new')]);

      expect(text(await waits)).toBe('new');
    });

    it('read that waits ends when the attempt does, or its time is over', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);

      const inVain = engine.outputs.read(id, { waitMs: seconds(5) });
      expect(await turnUntil(yard, inVain)).toEqual({ fence, chunks: [], ended: false });

      const waits = engine.outputs.read(id, { waitMs: seconds(20) });
      await letCallsArrive(engine);
      await settle(engine, { taskId: id, fence }, 'succeeded');
      expect(await waits).toEqual({ fence, chunks: [], ended: true });
    });

    it('are those of the last attempt, or of the one that is named', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      expect(text(await engine.outputs.read(id))).toBe('');
      await engine.outputs.append(id, fence, [chunk(1, 'first')]);
      await settle(engine, { taskId: id, fence }, 'released');
      expect(text(await engine.outputs.read(id))).toBe('first');
      const second = await claimOne(engine);
      await engine.outputs.append(id, second.fence, [chunk(1, 'second')]);

      expect(text(await engine.outputs.read(id))).toBe('second');
      expect(text(await engine.outputs.read(id, { fence }))).toBe('first');
      expect(text(await engine.outputs.tail(id, { fence }))).toBe('first');
    });

    it('of a task never begun are none, and none will come of an unknown one', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');

      expect(await engine.outputs.read(id)).toMatchObject({ fence: null, chunks: [] });
      await expectRefusal(engine.outputs.read(NO_TASK), 'TASK_NOT_FOUND', { task: NO_TASK });
      await expectRefusal(engine.outputs.tail(NO_TASK), 'TASK_NOT_FOUND', { task: NO_TASK });
      const unknown = engine.outputs.read(id, { fence: 99 });
      await expectRefusal(unknown, 'ATTEMPT_NOT_FOUND', { task: id, fence: '99' });
    });

    it('tail gives the last chunks that hold at least so many bytes', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { id, fence } = await running(engine);
      const kilobyte = Array.from({ length: 20 }, (_, i) => chunk(i + 1, `${i + 1};`.padEnd(1024)));
      await engine.outputs.append(id, fence, kilobyte);
      const numbers = async (limitBytes?: number) => {
        const page = await engine.outputs.tail(id, limitBytes === undefined ? {} : { limitBytes });
        return page.chunks.map(({ number }) => number);
      };

      expect(await numbers(1500)).toEqual([19, 20]);
      expect(await numbers(1)).toEqual([20]);
      expect(await numbers()).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
    });
  });
}

async function running(engine: Engine): Promise<{ id: string; fence: number }> {
  await engine.queues.create('q');
  const id = await submitOne(engine, 'q');
  return { id, fence: (await claimOne(engine)).fence };
}

function chunk(number: number, words: string): Omit<OutputChunk, 'at'> {
  return { number, stream: 'stdout', offset: 0, bytes: Buffer.from(words) };
}

function text({ chunks }: OutputPage): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
}
