import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { BatchError, type OutputChunk, seededRandom } from '../../core/index.ts';
import { createOutputPump } from './output-pump.ts';

type Chunk = Omit<OutputChunk, 'at'>;

function createPump({ maxBytes = 1_000_000 } = {}) {
  const clock = createFakeClock();
  const calls: (readonly Chunk[])[] = [];
  const events: string[] = [];
  let answer = async (): Promise<void> => {};
  const pump = createOutputPump({
    append: (chunks) => {
      calls.push(chunks);
      return answer();
    },
    maxBytes,
    clock,
    random: seededRandom(1),
    onLost: () => events.push('lost'),
    onRefused: () => events.push('refused'),
  });
  return {
    pump,
    clock,
    calls,
    events,
    answerWith: (next: () => Promise<void>) => {
      answer = next;
    },
    text: () =>
      calls
        .flat()
        .map(({ bytes }) => Buffer.from(bytes).toString())
        .join(''),
  };
}

const away = () => Promise.reject(new BatchError('SERVER_UNREACHABLE', { url: '', remedy: '' }));

describe('a pump', () => {
  it('gathers for a tenth of a second', async () => {
    const { pump, clock, calls } = createPump();
    pump.write('stdout', Buffer.from('a'));
    await clock.advance(99);
    pump.write('stdout', Buffer.from('b'));
    expect(calls).toEqual([]);

    await clock.advance(1);

    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject([{ number: 1, offset: 0, stream: 'stdout' }]);
  });

  it('does not wait when a chunk is full', async () => {
    const { pump, clock, calls } = createPump();

    pump.write('stdout', Buffer.alloc(64 * 1024));
    await clock.settle();

    expect(calls).toHaveLength(1);
  });

  it('asks the writer to wait while the engine is behind, and says when there is room', async () => {
    const { pump, clock, answerWith } = createPump({ maxBytes: 10_000_000 });
    let release = (): void => {};
    answerWith(() => new Promise((resolve) => (release = resolve)));

    const answers = Array.from({ length: 12 }, () => pump.write('stdout', Buffer.alloc(64 * 1024)));
    let hasRoom = false;
    void pump.room().then(() => {
      hasRoom = true;
    });
    await clock.settle();
    expect(answers).toEqual([...Array(8).fill(true), ...Array(4).fill(false)]);
    expect(hasRoom).toBe(false);
    answerWith(async () => {});
    release();
    await clock.settle();

    expect(hasRoom).toBe(true);
  });

  it('hands over all that is left when it closes', async () => {
    const { pump, text } = createPump();
    pump.write('stdout', Buffer.from('€').subarray(0, 2));
    pump.write('stderr', Buffer.from('x'));

    await pump.close();

    expect(text()).toBe('x\ufffd');
  });

  it('repeats a call that failed until it goes through, and numbers nothing twice', async () => {
    const { pump, clock, calls, answerWith } = createPump();
    answerWith(away);
    pump.write('stdout', Buffer.from('one'));
    await clock.advance(2000);
    expect(calls.length).toBeGreaterThan(2);
    answerWith(async () => {});
    pump.write('stdout', Buffer.from('two'));
    const closing = pump.close();
    await clock.advance(10_000);
    await closing;

    expect(new Set(calls.flat().map(({ number }) => number))).toEqual(new Set([1, 2]));
    expect(calls.at(-1)).toMatchObject([{ number: 2, offset: 3 }]);
  });

  it('stops at a lost lease, says so, and closes at once', async () => {
    const { pump, clock, calls, events, answerWith } = createPump();
    answerWith(() => Promise.reject(new BatchError('LEASE_LOST', { task: 't', fence: '1' })));
    pump.write('stdout', Buffer.from('one'));
    await clock.advance(100);
    pump.write('stdout', Buffer.from('two'));
    await pump.close();

    expect(events).toEqual(['lost']);
    expect(calls).toHaveLength(1);
  });

  it('gives up what the engine refuses for good', async () => {
    const { pump, clock, events, answerWith } = createPump();
    answerWith(() => Promise.reject(new BatchError('INVALID_REQUEST')));
    pump.write('stdout', Buffer.from('one'));
    await clock.advance(100);
    await pump.close();

    expect(events).toEqual(['refused']);
  });

  it('lets a writer go on and closes at once when it is abandoned', async () => {
    const { pump, clock, answerWith } = createPump({ maxBytes: 10_000_000 });
    answerWith(() => new Promise(() => {}));
    for (let i = 0; i < 12; i += 1) pump.write('stdout', Buffer.alloc(64 * 1024));
    const room = pump.room();
    const closing = pump.close();

    pump.abandon();
    await clock.settle();

    await Promise.all([room, closing]);
    expect(pump.write('stdout', Buffer.alloc(10_000_000))).toBe(true);
  });
});
