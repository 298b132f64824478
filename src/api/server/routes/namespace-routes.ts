import * as namespaces from '../../contract/namespace-endpoints.ts';
import { type Route, route } from '../route.ts';

export const namespaceRoutes: readonly Route[] = [
  route(namespaces.listNamespaces, async ({ engine }) => ({
    namespaces: await engine.namespaces.list(),
  })),
  route(namespaces.createNamespace, ({ engine, params, once }) =>
    engine.namespaces.create(params.namespace, once),
  ),
  route(namespaces.deleteNamespace, ({ engine, params, once }) =>
    engine.namespaces.delete(params.namespace, once),
  ),
  route(namespaces.countNamespaces, async ({ engine }) => ({
    counts: await engine.namespaces.counts(),
  })),
];
