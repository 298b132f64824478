import type { InjectOptions } from 'fastify';
import { type AnyEndpoint, API_PREFIX } from '../../src/api/contract/endpoint.ts';
import { toPath } from '../../src/api/contract/path-name.ts';
import type { Claim, Engine, TaskSubmission } from '../../src/core/index.ts';

/** What the samples are about. */
export interface Scene {
  readonly queue: string;
  readonly node: string;
  /** In each state that a sample needs. */
  readonly waiting: string;
  readonly held: string;
  readonly cancelled: string;
  readonly claimed: Claim;
}

interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

export async function setScene(engine: Engine): Promise<Scene> {
  const queue = 'mail';
  const node = 'node-1';
  await engine.queues.create(queue);
  await engine.queues.create('gated', { admission: 'gated' });
  await engine.queues.create('empty');
  await engine.nodes.heartbeat(node, { slots: 4 });
  await engine.namespaces.create('spare');
  await engine.tokens.create({ name: 'guest', role: 'viewer' });
  const submit = async (submission: TaskSubmission): Promise<string> => {
    const [answer] = await engine.tasks.submit(queue, [submission]);
    return answer?.id ?? '';
  };
  await submit({ key: 'running' });
  const { claims } = await engine.attempts.claim({ node });
  const [claimed] = claims as [Claim];
  const held = await submit({ hold: true });
  const cancelled = await submit({});
  await engine.tasks.cancel(cancelled);
  return { queue, node, claimed, held, cancelled, waiting: await submit({ key: 'waiting' }) };
}

/** A good request for every endpoint; a test compares the names with the contract's. */
export const SAMPLES: Readonly<Record<string, (scene: Scene) => Sample>> = {
  'queues.counts': () => ({}),
  'queues.list': () => ({ query: 'limit=2' }),
  'queues.create': () => ({ body: { name: 'new', maxRunning: 3 } }),
  'queues.get': ({ queue }) => ({ params: { queue } }),
  'queues.define': () => ({ params: { queue: 'defined' }, body: { handler: 'send' } }),
  'queues.set': ({ queue }) => ({ params: { queue }, body: { weight: 7 } }),
  'queues.delete': () => ({ params: { queue: 'empty' } }),
  'queues.admit': () => ({ params: { queue: 'gated' }, body: { limit: 2 } }),
  'queues.countsOf': ({ queue }) => ({ params: { queue } }),
  'queues.pause': ({ queue }) => ({ params: { queue } }),
  'queues.resume': ({ queue }) => ({ params: { queue } }),
  'tasks.findByKey': ({ queue }) => ({ params: { queue }, query: 'key=waiting' }),
  'tasks.submit': ({ queue }) => ({
    params: { queue },
    body: { tasks: [{ params: { to: 'a' } }, { key: { $bytes: '/w==' }, delayMs: 5000 }] },
  }),
  'tasks.list': () => ({ query: 'state=queued&state=held&limit=10&sort=id&direction=asc' }),
  'tasks.get': ({ waiting: task }) => ({ params: { task } }),
  'tasks.edit': ({ waiting: task }) => ({ params: { task }, body: { priorityBy: 5 } }),
  'tasks.delete': ({ waiting: task }) => ({ params: { task } }),
  'tasks.cancel': ({ waiting: task }) => ({ params: { task } }),
  'tasks.hold': ({ waiting: task }) => ({ params: { task } }),
  'tasks.release': ({ held: task }) => ({ params: { task } }),
  'tasks.retry': ({ cancelled: task }) => ({ params: { task } }),
  'tasks.why': ({ waiting: task }) => ({ params: { task } }),
  'tasks.bulk': ({ queue }) => ({
    body: { action: 'edit', filter: { queues: [queue] }, change: { priorityBy: 1 } },
  }),
  'tasks.search': ({ waiting }) => ({ body: { filter: { ids: [waiting] } } }),
  'tasks.wait': ({ cancelled }) => ({ body: { filter: { ids: [cancelled] }, timeoutMs: 0 } }),
  'attempts.claim': ({ node, queue }) => ({ body: { node, limit: 5, queues: [queue] } }),
  'attempts.claimTask': ({ node, waiting: task }) => ({ params: { task }, body: { node } }),
  'attempts.assign': ({ node, waiting: task }) => ({
    params: { task },
    body: { candidates: [node] },
  }),
  'attempts.start': ({ claimed: { taskId, fence } }) => ({ body: { items: [{ taskId, fence }] } }),
  'attempts.renew': ({ claimed: { taskId, fence } }) => ({
    body: { items: [{ taskId, fence, leaseMs: 60_000, data: { done: 1 } }] },
  }),
  'attempts.settle': ({ queue, claimed: { taskId, fence } }) => ({
    body: {
      items: [
        { taskId, fence, outcome: 'succeeded', output: 1, emit: [{ queue, params: { n: 1 } }] },
      ],
    },
  }),
  'attempts.list': ({ claimed: { taskId: task } }) => ({ params: { task } }),
  'attempts.listByNode': ({ node }) => ({ params: { node }, query: 'live=true' }),
  'outputs.read': ({ claimed: { taskId: task } }) => ({ params: { task }, query: 'after=0' }),
  'outputs.append': ({ claimed: { taskId: task, fence } }) => ({
    params: { task },
    body: { fence, chunks: [{ number: 1, stream: 'stdout', offset: 0, bytes: 'aGk=' }] },
  }),
  'outputs.tail': ({ claimed: { taskId: task } }) => ({ params: { task } }),
  'nodes.list': () => ({ query: 'live=true' }),
  'nodes.get': ({ node }) => ({ params: { node } }),
  'nodes.set': ({ node }) => ({ params: { node }, body: { wish: 'drain', maxRunning: null } }),
  'nodes.delete': ({ node }) => ({ params: { node } }),
  'nodes.deactivate': ({ node }) => ({ params: { node } }),
  'nodes.heartbeat': () => ({ params: { node: 'node-2' }, body: { report: { slots: 2 } } }),
  'namespaces.counts': () => ({}),
  'namespaces.list': () => ({}),
  'namespaces.create': () => ({ params: { namespace: 'fresh' } }),
  'namespaces.delete': () => ({ params: { namespace: 'spare' } }),
  'leases.acquire': () => ({ params: { lease: 'leader' }, body: { holder: 'me', ttlMs: 5000 } }),
  'leases.release': () => ({ params: { lease: 'leader' }, body: { holder: 'me' } }),
  'tokens.list': () => ({}),
  'tokens.create': () => ({ body: { name: 'robot', role: 'worker', namespaces: ['default'] } }),
  'tokens.revoke': () => ({ params: { token: 'guest' } }),
  whoami: () => ({}),
  health: () => ({}),
  examine: () => ({}),
};

/** The sample as a request to inject. */
export function toRequest(
  endpoint: AnyEndpoint,
  scene: Scene,
  headers: Record<string, string> = {},
): InjectOptions {
  const sample = SAMPLES[endpoint.name]?.(scene) ?? {};
  const path = toPath(endpoint.path, { namespace: 'default', ...sample.params });
  const isRead = endpoint.method === 'GET';
  return {
    method: endpoint.method,
    url: `${API_PREFIX}${path}${sample.query ? `?${sample.query}` : ''}`,
    headers: { ...(isRead ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(sample.body !== undefined && { payload: JSON.stringify(sample.body) }),
  };
}
