import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/store/index.ts';
import {
  aClaim,
  aNewTask,
  aSettlement,
  at,
  bytes,
  NOON,
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addMany,
  addQueue,
  addTask,
  addTasks,
  claimOne,
  getTask,
  listAttempts,
  listTasks,
  submit,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const ODD_TEXT =
  'quote " \' back \\ zero \u0000 line \n tab \t ünï 漢字 😀 \u2028 \ufeff %s $1 {item}';

const VALUES: readonly (readonly [string, Json])[] = [
  ['null', null],
  ['false', false],
  ['the empty text', ''],
  ['the empty list', []],
  ['the empty object', {}],
  ['nested empties', { list: [], object: {}, nothing: null, deeper: [[], [{}]] }],
  ['odd text', ODD_TEXT],
  ['odd text as a name', { [ODD_TEXT]: ODD_TEXT }],
  ['half of a surrogate pair', { text: '\ud83d', '\udc00': 1 }],
  ['floats', [0.1, 1e-300, 1.7976931348623157e308, 5e-324, -2.5]],
  ['whole numbers', [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53, 1e21]],
  ['names that are numbers, in order', JSON.parse('{"2":1,"b":2,"a":3}')],
  ['names of JavaScript itself', JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}')],
  ['names that begin with $ or hold dots', { $set: 1, 'a.b': 2, $bytes: 'x', '': 3 }],
  ['a long text', 'x'.repeat(1_000_000)],
  ['a long list', Array.from({ length: 20_000 }, (_, index) => index)],
  ['a deep list', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
];

const KEYS: readonly (readonly [string, Uint8Array, string | Uint8Array])[] = [
  ['no bytes', bytes(), ''],
  ['a zero byte', bytes(0), '\u0000'],
  ['text with a zero inside', textBytes('a\u0000b'), 'a\u0000b'],
  ['text that begins with a byte order mark', textBytes('\ufeffa'), '\ufeffa'],
  ['many languages', textBytes('ключ 鍵 😀'), 'ключ 鍵 😀'],
  ['bytes that are no text', bytes(0xff, 0xfe, 0x00, 0x80), bytes(0xff, 0xfe, 0x00, 0x80)],
  ['half of a surrogate pair', bytes(0xed, 0xa0, 0x80), bytes(0xed, 0xa0, 0x80)],
  ['every byte', bytes(...Array(256).keys()), bytes(...Array(256).keys())],
  ['4096 bytes', textBytes('k'.repeat(4096)), 'k'.repeat(4096)],
];

export function taskValueConformance(subject: StoreUnderTest): void {
  describe('values', () => {
    it.each(VALUES)('come back as they were: %s', async (_, value) => {
      await using store = await subject.open();
      const queue = await addQueue(store, { data: value });
      const claim = await addClaimed(store, queue, { params: value });

      const renewal = { ...claim, leaseMs: 1000, data: value };
      await store.attempts.renew('default', [renewal], at(NOON));
      const reported = await getTask(store, claim.taskId);
      const settlement = aSettlement(claim, { data: value });
      await store.attempts.settle('default', [settlement], at(NOON));
      const settled = await getTask(store, claim.taskId);
      const [attempt] = await listAttempts(store, claim.taskId);

      const text = JSON.stringify(value);
      const back = [claim.params, reported.params, reported.result, settled.result, attempt?.data];
      expect(back.map((one) => JSON.stringify(one) === text)).toEqual(back.map(() => true));
      const kept = await store.queues.find('default', queue.name);
      expect(JSON.stringify(kept?.data) === text).toBe(true);
    });

    it('come back as JSON gives them: −0 as a zero', async () => {
      await using store = await subject.open();

      const id = await addTask(store, await addQueue(store), { params: [-0, { a: -0 }] });

      expect(JSON.stringify((await getTask(store, id)).params)).toBe('[0,{"a":0}]');
    });

    it('keep odd labels and errors', async () => {
      await using store = await subject.open();
      const labels = JSON.parse(`{"__proto__":"a","":"","x":${JSON.stringify(ODD_TEXT)}}`);
      const claim = await addClaimed(store, await addQueue(store), { labels });

      const failing = aSettlement(claim, { outcome: 'failed', error: ODD_TEXT, code: -2147483648 });
      await store.attempts.settle('default', [failing], at(NOON));

      const task = await getTask(store, claim.taskId);
      expect(JSON.stringify(task.labels)).toBe(JSON.stringify(labels));
      expect(task).toMatchObject({ error: ODD_TEXT, code: -2147483648 });
      expect(await listAttempts(store, claim.taskId)).toMatchObject([
        { error: ODD_TEXT, code: -2147483648 },
      ]);
      expect(JSON.stringify(claim.labels)).toBe(JSON.stringify(labels));
    });

    it('keep an empty error apart from none', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));

      const failing = aSettlement(claim, { outcome: 'failed', error: '', code: 0 });
      await store.attempts.settle('default', [failing], at(NOON));

      expect(await getTask(store, claim.taskId)).toMatchObject({ error: '', code: 0 });
    });
  });

  describe('texts that differ only after U+0000', () => {
    it('are different unique keys', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const unique = (key: string) => aNewTask({ unique: { key, scope: 'forever' } });

      await addTasks(store, queue, [unique('a\u0000b'), unique('a\u0000c'), unique('a')]);

      expect(await submit(store, queue, [unique('a\u0000b')], 'skip')).toMatchObject({
        tasks: [{ outcome: 'skipped' }],
      });
      expect(await listTasks(store)).toHaveLength(3);
    });

    it('are different limit keys', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 6, ['a\u0000b', 'a\u0000c', 'a']);

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      expect(claims.map(({ labels }) => labels.key)).toEqual(['a\u0000b', 'a\u0000c', 'a']);
    });
  });

  describe('keys', () => {
    it.each(KEYS)('may be any bytes: %s', async (_, key, expected) => {
      await using store = await subject.open();
      const queue = await addQueue(store, { order: 'key' });

      const [id = ''] = await addTasks(store, queue, [aNewTask({ key }, 'key')]);
      await addTasks(store, queue, [aNewTask({ key: bytes(...key, 1) }, 'key')]);

      expect((await getTask(store, id)).key).toEqual(expected);
      expect((await store.tasks.findByKey(queue.id, key, at(NOON)))?.id).toBe(id);
      expect((await listTasks(store, { keys: [key] })).map((task) => task.id)).toEqual([id]);
      const claim = await claimOne(store, queue);
      expect([claim.taskId, claim.key]).toEqual([id, expected]);
      expect((await listAttempts(store, id))[0]?.key).toEqual(expected);
    });
  });

  describe('priorities', () => {
    it('may be any number, broken ones too', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const priorities = [0, -0.5, 1e9, 0.25, -1e9, 2 ** 40, 0.125];
      await addTasks(
        store,
        queue,
        priorities.map((priority) => aNewTask({ priority })),
      );

      const claims = [];
      for (const _ of priorities) claims.push((await claimOne(store, queue)).priority);

      expect(claims).toEqual(priorities.toSorted((a, b) => b - a));
    });
  });
}
