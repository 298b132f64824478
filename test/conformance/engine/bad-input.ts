import { describe, expect, it } from 'vitest';
import type { Engine, QueueSettings } from '../../../src/core/index.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { refusal } from './scene.ts';

type BadCall = readonly [
  what: string,
  field: string | RegExp,
  call: (engine: Engine) => Promise<unknown>,
];

const ID = '000000000000000000000000';
const wrong = (value: unknown) => value as never;

const setting =
  <Name extends keyof QueueSettings>(name: Name, value: unknown) =>
  ({ queues }: Engine) =>
    queues.create('new', { [name]: value });

const program = (change: object) =>
  setting('program', { argv: ['/bin/true'], cwd: null, env: {}, ...change });

const limit = (change: object) =>
  setting('limits', [{ name: 'l', by: 'tenant', max: 1, perMs: null, ...change }]);

const QUEUE_CALLS: readonly BadCall[] = [
  ['a queue without a name', 'queue', ({ queues }) => queues.create('')],
  ['a name with control characters', 'queue', ({ queues }) => queues.create('a\nb')],
  ['a name of 256 characters', 'queue', ({ queues }) => queues.create('x'.repeat(256))],
  ['a name that is not Unicode', 'queue', ({ queues }) => queues.define('a\ud800', {})],
  ['a setting that does not exist', 'maxRuning', setting(wrong('maxRuning'), 1)],
  ['a negative limit', 'maxRunning', setting('maxRunning', -1)],
  ['a limit that is no whole number', 'maxRunningPerNode', setting('maxRunningPerNode', 1.5)],
  ['a limit that is text', 'maxPerClaim', setting('maxPerClaim', '5')],
  ['a negative weight', 'weight', setting('weight', -1)],
  ['a priority that is no number', 'priority', setting('priority', 'high')],
  ['an unknown order', 'order', setting('order', 'random')],
  ['an unknown onLost', 'onLost', setting('onLost', 'ignore')],
  ['an unknown admission', 'admission', setting('admission', 'closed')],
  ['a flag that is no flag', 'paused', setting('paused', 'yes')],
  ['maxAttempts 0', 'maxAttempts', setting('maxAttempts', 0)],
  ['maxClaims 0', 'maxClaims', setting('maxClaims', 0)],
  ['maxLosses 0', 'maxLosses', setting('maxLosses', 0)],
  ['a lease of no time', 'leaseMs', setting('leaseMs', 0)],
  ['a negative interval', 'intervalMs', setting('intervalMs', -1)],
  ['a retry that shrinks', 'factor', setting('retry', { baseMs: 1, factor: 0.5, maxMs: 9 })],
  ['a retry of negative time', 'baseMs', setting('retry', { baseMs: -1, factor: 2, maxMs: 9 })],
  ['a negative retention', 'succeededMs', setting('retention', { succeededMs: -1, failedMs: 1 })],
  ['nodes that are no list', 'nodesOnly', setting('nodesOnly', 'n1')],
  ['a keyed limit of negative max', 'max', limit({ max: -1 })],
  ['a keyed limit per no time', 'perMs', limit({ perMs: 0 })],
  ['limits that are no list', 'limits', setting('limits', { tenant: 1 })],
  ['a program without a command', 'argv', program({ argv: [] })],
  ['a program filled from params', 'argv', program({ argv: ['{tool}'] })],
  ['an argument with NUL', 'argv', program({ argv: ['/bin/true', 'a\u0000b'] })],
  ['a bad name of a variable', 'env', program({ env: { 'A B': '1' } })],
  ['data beyond bounds', 'data', setting('data', 'x'.repeat(300_000))],
  ['a negative admission', 'limit', ({ queues }) => queues.admit('gated', { limit: -1 })],
  ['a page of nothing', 'limit', ({ queues }) => queues.list({ limit: 0 })],
  ['a page beyond the largest', 'limit', ({ queues }) => queues.list({ limit: 1001 })],
];

const submit = (task: object, field: string, what: string): BadCall => [
  what,
  field,
  ({ tasks }) => tasks.submit('q', [{}, wrong(task)]),
];

const TASK_CALLS: readonly BadCall[] = [
  submit({ key: 'x'.repeat(4097) }, 'key', 'a key beyond 4,096 bytes'),
  submit({ key: 'a\ud800' }, 'key', 'a key that is not Unicode'),
  submit({ params: 'x'.repeat(1024 * 1024 + 1) }, 'params', 'params beyond 1 MiB'),
  submit({ params: nested(110) }, 'params', 'params nested too deeply'),
  submit({ priority: 'high' }, 'priority', 'a priority that is no number'),
  submit({ delayMs: -1 }, 'delayMs', 'a negative delay'),
  submit({ labels: { a: 1 } }, 'labels', 'a label that is no text'),
  submit({ labels: { '': 'x' } }, 'labels', 'a label without a name'),
  submit({ unique: { key: 'u', while: 'sometimes' } }, 'while', 'an unknown scope'),
  [
    'an unknown onConflict',
    'onConflict',
    ({ tasks }) => tasks.submit('q', [{}], { onConflict: wrong('merge') }),
  ],
  ['an unknown state', 'states', ({ tasks }) => tasks.list({ states: wrong(['done']) })],
  ['an unknown hold', 'hold', ({ tasks }) => tasks.list({ hold: wrong('maybe') })],
  ['an unknown sort', 'sort', ({ tasks }) => tasks.list({}, { sort: wrong('colour') })],
  ['an unknown direction', 'direction', ({ tasks }) => tasks.list({}, { direction: wrong('up') })],
  ['an edit of nothing', 'change', ({ tasks }) => tasks.edit(ID, {})],
  ['an edit to no number', 'priority', ({ tasks }) => tasks.edit(ID, { priority: wrong('x') })],
  [
    'an unknown action',
    'action',
    ({ tasks }) => tasks.bulk({ action: wrong('explode'), filter: { queues: ['q'] } }),
  ],
  [
    'a bulk edit without a change',
    'change',
    ({ tasks }) => tasks.bulk({ action: 'edit', filter: { queues: ['q'] } }),
  ],
  [
    'a bulk action with a change',
    'change',
    ({ tasks }) =>
      tasks.bulk({ action: 'hold', filter: { queues: ['q'] }, change: { priority: 1 } }),
  ],
  ['a negative wait', 'timeoutMs', ({ tasks }) => tasks.wait({ filter: {}, timeoutMs: -1 })],
  [
    'a key too long to repeat',
    /idempotency-?key/i,
    ({ tasks }) => tasks.submit('q', [{}], { idempotencyKey: 'x'.repeat(256) }),
  ],
];

const HELD = { taskId: ID, fence: 1 };
const settle =
  (change: object) =>
  ({ attempts }: Engine) =>
    attempts.settle([{ ...HELD, outcome: 'failed', ...change }]);

const ATTEMPT_CALLS: readonly BadCall[] = [
  ['a claim of nothing', 'limit', ({ attempts }) => attempts.claim({ node: 'n1', limit: 0 })],
  ['a claim for no time', 'leaseMs', ({ attempts }) => attempts.claim({ node: 'n1', leaseMs: 0 })],
  ['a negative wait', 'waitMs', ({ attempts }) => attempts.claim({ node: 'n1', waitMs: -1 })],
  ['a node with control characters', 'node', ({ attempts }) => attempts.claim({ node: 'a\u0007' })],
  [
    'a token too long',
    /token|idempotency-key/,
    ({ attempts }) => attempts.claim({ node: 'n1', token: 'x'.repeat(300) }),
  ],
  ['an unknown outcome', 'outcome', settle({ outcome: 'fine' })],
  ['a negative delay', 'delayMs', settle({ delayMs: -1 })],
  ['a code that is no number', 'code', settle({ code: 'E1' })],
  [
    'progress beyond 1 MiB',
    'data',
    ({ attempts }) => attempts.renew([{ ...HELD, data: 'x'.repeat(1024 * 1024 + 1) }]),
  ],
  [
    'an unknown stream',
    'stream',
    ({ outputs }) =>
      outputs.append(ID, 1, [
        { number: 1, stream: wrong('stdlog'), offset: 0, bytes: Buffer.from('x') },
      ]),
  ],
  [
    'a chunk numbered 0',
    'number',
    ({ outputs }) =>
      outputs.append(ID, 1, [{ number: 0, stream: 'stdout', offset: 0, bytes: Buffer.from('x') }]),
  ],
  ['a read of no bytes', 'limitBytes', ({ outputs }) => outputs.read(ID, { limitBytes: 0 })],
  ['an unknown wish', 'wish', ({ nodes }) => nodes.set('n1', { wish: wrong('rest') })],
  ['a negative limit of a node', 'maxRunning', ({ nodes }) => nodes.set('n1', { maxRunning: -1 })],
  ['a lease of no time', 'ttlMs', ({ leases }) => leases.acquire('l', { holder: 'h', ttlMs: 0 })],
  ['an unknown role', 'role', ({ tokens }) => tokens.create({ name: 't', role: wrong('king') })],
  ['a token without a name', 'name', ({ tokens }) => tokens.create({ name: '', role: 'viewer' })],
  [
    'a namespace with control characters',
    'namespace',
    ({ namespaces }) => namespaces.create('a\u0000'),
  ],
];

export function badInput(subject: EngineUnderTest): void {
  describe('bad input is refused with the field, what is wrong, and what would be right', () => {
    for (const [group, calls] of Object.entries({
      queues: QUEUE_CALLS,
      tasks: TASK_CALLS,
      'attempts and others': ATTEMPT_CALLS,
    })) {
      it(`of ${group}: ${calls.map(([what]) => what).join(', ')}`, async () => {
        await using yard = await subject.open();
        await yard.engine.queues.create('q');
        await yard.engine.queues.create('gated', { admission: 'gated' });

        for (const [what, field, call] of calls) {
          const error = await refusal(call(yard.engine));
          expect(['INVALID_REQUEST', 'TOO_LARGE'], `${what}: ${error.message}`).toContain(
            error.code,
          );
          expect(error.details.field, `${what}: ${error.message}`).toMatch(field);
          expect(error.details.remedy, `${what}: ${error.message}`).toMatch(/\w/);
        }
        expect((await yard.engine.queues.list()).items.map(({ name }) => name)).toEqual([
          'gated',
          'q',
        ]);
        expect((await yard.engine.tasks.list()).items).toEqual([]);
      });
    }
  });
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
}
