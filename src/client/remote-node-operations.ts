import * as endpoints from '../api/contract/node-endpoints.ts';
import type { NodeOperations } from '../core/index.ts';
import type { Connection } from './connection.ts';
import { nullIfMissing, toPageQuery } from './remote-answers.ts';

export function remoteNodeOperations({ call }: Connection, namespace: string): NodeOperations {
  const get = (node: string) => call(endpoints.getNode, { params: { namespace, node } });
  return {
    heartbeat: (node, report = {}, { ttlMs } = {}) =>
      call(endpoints.beatNode, {
        params: { namespace, node },
        body: { report, ...(ttlMs !== undefined && { ttlMs }) },
      }),
    find: (name) => nullIfMissing('NODE_NOT_FOUND', get(name)),
    get,
    list: (page = {}) =>
      call(endpoints.listNodes, {
        params: { namespace },
        query: {
          ...toPageQuery(page),
          ...(page.live !== undefined && { live: page.live }),
          ...(page.parent !== undefined && { parent: page.parent }),
        },
      }),
    set: (node, body, options = {}) =>
      call(endpoints.setNode, { params: { namespace, node }, body, key: options.idempotencyKey }),
    async deactivate(node, options = {}) {
      const params = { namespace, node };
      await call(endpoints.deactivateNode, { params, key: options.idempotencyKey });
    },
    async delete(node, options = {}) {
      await call(endpoints.deleteNode, {
        params: { namespace, node },
        key: options.idempotencyKey,
      });
    },
  };
}
