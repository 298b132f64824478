/** Requests that must be refused, and how. */
import type { InjectOptions } from 'fastify';

export const QUEUES = '/api/v1/namespaces/default/queues';
export const MAIL_TASKS = `${QUEUES}/mail/tasks`;
const JSON_TYPE = { 'content-type': 'application/json' };

export function post(url: string, payload: unknown): InjectOptions {
  const isRaw = typeof payload === 'string' || Buffer.isBuffer(payload);
  return {
    method: 'POST',
    url,
    headers: JSON_TYPE,
    payload: isRaw ? payload : JSON.stringify(payload),
  };
}

export function get(url: string): InjectOptions {
  return { method: 'GET', url };
}

export interface BadRequest {
  readonly what: string;
  readonly request: InjectOptions;
  readonly status: number;
  readonly code?: string;
  readonly field?: string | RegExp;
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const withParams = (json: string): string => `{"tasks":[{"params":${json}}]}`;

export const BAD_REQUESTS: readonly BadRequest[] = [
  // Bodies that are not what they should be.
  { what: 'no JSON', request: post(MAIL_TASKS, '{"tasks":'), status: 400, field: 'body' },
  { what: 'two values', request: post(MAIL_TASKS, '{} {}'), status: 400, field: 'body' },
  { what: 'nothing', request: post(MAIL_TASKS, ''), status: 400, field: 'body' },
  { what: 'a space', request: post(MAIL_TASKS, ' '), status: 400, field: 'body' },
  { what: 'a list', request: post(MAIL_TASKS, '[]'), status: 400, field: 'body' },
  { what: 'null', request: post(MAIL_TASKS, 'null'), status: 400, field: 'body' },
  {
    what: 'invalid UTF-8',
    request: post(MAIL_TASKS, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
    status: 400,
    field: 'body',
  },
  {
    what: '20 MB',
    request: post(MAIL_TASKS, withParams(JSON.stringify('x'.repeat(20_000_000)))),
    status: 413,
    code: 'TOO_LARGE',
    field: 'body',
  },
  {
    what: 'params of 2 MB',
    request: post(MAIL_TASKS, withParams(JSON.stringify('x'.repeat(2_000_000)))),
    status: 413,
    code: 'TOO_LARGE',
    field: 'tasks[0].params',
  },
  { what: '100,000 levels', request: post(MAIL_TASKS, withParams(deep(100_000))), status: 400 },
  { what: '16 MB of levels', request: post(MAIL_TASKS, '['.repeat(16_000_000)), status: 400 },
  {
    what: 'params of 110 levels',
    request: post(MAIL_TASKS, withParams(deep(110))),
    status: 400,
    field: 'tasks[0].params',
  },
  {
    what: 'a number that would be rounded',
    request: post(MAIL_TASKS, withParams('12345678901234567890')),
    status: 400,
    field: 'body',
  },
  {
    what: 'a number beyond numbers',
    request: post(MAIL_TASKS, withParams('[1e400]')),
    status: 400,
    field: 'body',
  },
  // Names that reach for prototypes.
  {
    what: '__proto__',
    request: post(MAIL_TASKS, withParams('{"a":[{"__proto__":{"x":1}}]}')),
    status: 400,
    field: 'tasks[0].params.a[0].__proto__',
  },
  {
    what: '__proto__ in disguise',
    request: post(MAIL_TASKS, withParams('{"\\u005f_proto__":1}')),
    status: 400,
    field: 'tasks[0].params.__proto__',
  },
  {
    what: 'constructor',
    request: post(MAIL_TASKS, withParams('{"constructor":{"prototype":{}}}')),
    status: 400,
    field: 'tasks[0].params.constructor',
  },
  {
    what: 'prototype at the top',
    request: post(MAIL_TASKS, '{"prototype":1}'),
    status: 400,
    field: 'prototype',
  },
  { what: '__proto__ in the query', request: get(`${QUEUES}?__proto__=1`), status: 400 },
  // Fields.
  {
    what: 'an unknown field',
    request: post(MAIL_TASKS, { tasks: [{ prioritty: 1 }] }),
    status: 400,
    field: 'tasks[0].prioritty',
  },
  {
    what: 'text for a number',
    request: post(MAIL_TASKS, { tasks: [{ priority: '5' }] }),
    status: 400,
    field: 'tasks[0].priority',
  },
  {
    what: 'a list for an object',
    request: post(MAIL_TASKS, { tasks: [[]] }),
    status: 400,
    field: 'tasks[0]',
  },
  {
    what: 'a bad instant',
    request: post(MAIL_TASKS, { tasks: [{ notBefore: 'tomorrow' }] }),
    status: 400,
    field: 'tasks[0].notBefore',
  },
  {
    what: 'a bad key',
    request: post(MAIL_TASKS, { tasks: [{ key: { $bytes: '?' } }] }),
    status: 400,
    field: 'tasks[0].key',
  },
  {
    what: 'a key of 5,000 bytes',
    request: post(MAIL_TASKS, { tasks: [{ key: 'k'.repeat(5000) }] }),
    status: 400,
    field: 'tasks[0].key',
  },
  {
    what: 'a negative delay',
    request: post(MAIL_TASKS, { tasks: [{ delayMs: -1 }] }),
    status: 400,
    field: 'tasks[0].delayMs',
  },
  {
    what: 'one bad task among good ones',
    request: post(MAIL_TASKS, { tasks: [{}, {}, { delayMs: 1e300 }] }),
    status: 400,
    field: 'tasks[2].delayMs',
  },
  {
    what: '20,000 tasks in one call',
    request: post(MAIL_TASKS, { tasks: Array.from({ length: 20_000 }, () => ({})) }),
    status: 400,
    field: 'tasks',
  },
  {
    what: 'a setting that is not known',
    request: post(QUEUES, { name: 'q', maxRuning: 3 }),
    status: 400,
    field: 'maxRuning',
  },
  { what: 'a queue without a name', request: post(QUEUES, {}), status: 400, field: 'name' },
  { what: 'an empty name', request: post(QUEUES, { name: '' }), status: 400, field: 'queue' },
  {
    what: 'a name of control characters',
    request: post(QUEUES, { name: 'a\u0000b' }),
    status: 400,
  },
  { what: 'a name that is no Unicode', request: post(QUEUES, '{"name":"\\ud800"}'), status: 400 },
  { what: 'a name of 300 letters', request: post(QUEUES, { name: 'q'.repeat(300) }), status: 400 },
  {
    what: 'a body where none is taken',
    request: post(`${QUEUES}/mail/pause`, { now: true }),
    status: 400,
    field: 'body',
  },
  {
    what: 'an unusable Idempotency-Key',
    request: {
      ...post(QUEUES, { name: 'q' }),
      headers: { ...JSON_TYPE, 'idempotency-key': 'a b' },
    },
    status: 400,
    field: 'idempotency-key',
  },
  {
    what: 'an Idempotency-Key of 300 letters',
    request: {
      ...post(QUEUES, { name: 'q' }),
      headers: { ...JSON_TYPE, 'idempotency-key': 'k'.repeat(300) },
    },
    status: 400,
    field: 'idempotency-key',
  },
  // Queries.
  { what: 'a limit of -1', request: get(`${QUEUES}?limit=-1`), status: 400, field: 'limit' },
  { what: 'a limit of 0', request: get(`${QUEUES}?limit=0`), status: 400, field: 'limit' },
  { what: 'a limit of 1001', request: get(`${QUEUES}?limit=1001`), status: 400, field: 'limit' },
  {
    what: 'a limit of 10⁹',
    request: get(`${QUEUES}?limit=1000000000`),
    status: 400,
    field: 'limit',
  },
  { what: 'a limit in words', request: get(`${QUEUES}?limit=ten`), status: 400, field: 'limit' },
  { what: 'two limits', request: get(`${QUEUES}?limit=1&limit=2`), status: 400, field: 'limit' },
  { what: 'an unknown parameter', request: get(`${QUEUES}?limt=1`), status: 400, field: 'limt' },
  {
    what: 'an unknown state',
    request: get('/api/v1/namespaces/default/tasks?state=done'),
    status: 400,
    field: /^state/,
  },
  {
    what: 'a wait of an hour',
    request: post('/api/v1/namespaces/default/claims', { node: 'n', waitMs: 3_600_000 }),
    status: 400,
    field: 'waitMs',
  },
  {
    what: 'a bulk action on everything by accident',
    request: post('/api/v1/namespaces/default/tasks/bulk', { action: 'delete', filter: {} }),
    status: 400,
    field: 'filter',
  },
  // Addresses.
  { what: 'broken percent-encoding', request: get(`${QUEUES}/%ff`), status: 400, field: 'path' },
  {
    what: 'a name of 20,000 letters',
    request: get(`${QUEUES}/${'q'.repeat(12_000)}`),
    status: 400,
  },
  {
    what: '[D4-22] a queue that is not there',
    request: post(`${QUEUES}/none/tasks`, { tasks: [{}] }),
    status: 404,
    code: 'QUEUE_NOT_FOUND',
  },
  {
    what: 'a task that is not there',
    request: get(`/api/v1/namespaces/default/tasks/${'0'.repeat(24)}`),
    status: 404,
    code: 'TASK_NOT_FOUND',
  },
  {
    what: 'a task id that is none',
    request: get("/api/v1/namespaces/default/tasks/'%20or%201=1"),
    status: 404,
    code: 'TASK_NOT_FOUND',
  },
  { what: 'no route', request: get('/api/v1/nothing'), status: 404, code: 'ROUTE_NOT_FOUND' },
  {
    what: 'an escape',
    request: get('/..%2f..%2fetc/passwd'),
    status: 404,
    code: 'ROUTE_NOT_FOUND',
  },
  {
    what: 'another method',
    request: { method: 'PUT', url: QUEUES, headers: JSON_TYPE },
    status: 404,
  },
  // Forms of the body.
  {
    what: 'NDJSON where it is not taken',
    request: { ...post(QUEUES, '{}'), headers: { 'content-type': 'application/x-ndjson' } },
    status: 415,
    field: 'content-type',
  },
  {
    what: 'a compressed body',
    request: { ...post(QUEUES, '{}'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
    status: 415,
    field: 'content-encoding',
  },
  {
    what: 'a content type that is none',
    request: { ...post(QUEUES, '{}'), headers: { 'content-type': 'application/jsonx' } },
    status: 415,
    field: 'content-type',
  },
];
