import * as endpoints from '../api/contract/namespace-endpoints.ts';
import type { NamespaceOperations } from '../core/index.ts';
import type { Connection } from './connection.ts';

export function remoteNamespaceOperations({ call }: Connection): NamespaceOperations {
  return {
    list: async () => (await call(endpoints.listNamespaces, { params: {} })).namespaces,
    async create(namespace, options = {}) {
      await call(endpoints.createNamespace, {
        params: { namespace },
        key: options.idempotencyKey,
      });
    },
    async delete(namespace, options = {}) {
      await call(endpoints.deleteNamespace, {
        params: { namespace },
        key: options.idempotencyKey,
      });
    },
    counts: async () => (await call(endpoints.countNamespaces, { params: {} })).counts,
  };
}
