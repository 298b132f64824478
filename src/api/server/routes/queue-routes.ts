import * as queues from '../../contract/queue-endpoints.ts';
import { type Route, route } from '../route.ts';

export const queueRoutes: readonly Route[] = [
  route(queues.createQueue, ({ engine, body, once }) => {
    const { name, ...settings } = body;
    return engine.queues.create(name, settings, once);
  }),
  route(queues.listQueues, ({ engine, query }) => engine.queues.list(query)),
  route(queues.getQueue, ({ engine, params }) => engine.queues.get(params.queue)),
  route(queues.defineQueue, ({ engine, params, body, once }) =>
    engine.queues.define(params.queue, body, once),
  ),
  route(queues.setQueue, ({ engine, params, query, body, once }) =>
    engine.queues.set(params.queue, body, { ...once, ...query }),
  ),
  route(queues.pauseQueue, ({ engine, params, once }) => engine.queues.pause(params.queue, once)),
  route(queues.resumeQueue, ({ engine, params, once }) => engine.queues.resume(params.queue, once)),
  route(queues.deleteQueue, ({ engine, params, query, once }) =>
    engine.queues.delete(params.queue, { ...once, ...query }),
  ),
  route(queues.countQueues, async ({ engine }) => ({ counts: await engine.queues.counts() })),
  route(queues.countQueue, ({ engine, params }) => engine.queues.countsOf(params.queue)),
  route(queues.admitTasks, ({ engine, params, body, once }) =>
    engine.queues.admit(params.queue, body, once),
  ),
];
