import * as endpoints from '../api/contract/queue-endpoints.ts';
import type { QueueOperations } from '../core/index.ts';
import type { Connection } from './connection.ts';
import { nullIfMissing, toPageQuery } from './remote-answers.ts';

export function remoteQueueOperations({ call }: Connection, namespace: string): QueueOperations {
  const get = (queue: string) => call(endpoints.getQueue, { params: { namespace, queue } });
  return {
    create: (name, settings = {}, options = {}) =>
      call(endpoints.createQueue, {
        params: { namespace },
        body: { ...settings, name },
        key: options.idempotencyKey,
      }),
    find: (name) => nullIfMissing('QUEUE_NOT_FOUND', get(name)),
    get,
    list: (page) => call(endpoints.listQueues, { params: { namespace }, query: toPageQuery(page) }),
    set: (queue, body, { revision, idempotencyKey: key } = {}) =>
      call(endpoints.setQueue, {
        params: { namespace, queue },
        query: { ...(revision !== undefined && { revision }) },
        body,
        key,
      }),
    define: (queue, body, options = {}) =>
      call(endpoints.defineQueue, {
        params: { namespace, queue },
        body,
        key: options.idempotencyKey,
      }),
    pause: (queue, options = {}) =>
      call(endpoints.pauseQueue, { params: { namespace, queue }, key: options.idempotencyKey }),
    resume: (queue, options = {}) =>
      call(endpoints.resumeQueue, { params: { namespace, queue }, key: options.idempotencyKey }),
    delete: (queue, { tasks, idempotencyKey: key } = {}) =>
      call(endpoints.deleteQueue, {
        params: { namespace, queue },
        query: { ...(tasks && { tasks }) },
        key,
      }),
    counts: async () => (await call(endpoints.countQueues, { params: { namespace } })).counts,
    countsOf: (queue) => call(endpoints.countQueue, { params: { namespace, queue } }),
    admit: (queue, body, options = {}) =>
      call(endpoints.admitTasks, {
        params: { namespace, queue },
        body,
        key: options.idempotencyKey,
      }),
  };
}
