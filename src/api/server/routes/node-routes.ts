import * as nodes from '../../contract/node-endpoints.ts';
import { type Route, route } from '../route.ts';

export const nodeRoutes: readonly Route[] = [
  route(nodes.beatNode, ({ engine, params, body }) => {
    const { report = {}, ...options } = body;
    return engine.nodes.heartbeat(params.node, report, options);
  }),
  route(nodes.getNode, ({ engine, params }) => engine.nodes.get(params.node)),
  route(nodes.listNodes, ({ engine, query }) => engine.nodes.list(query)),
  route(nodes.setNode, ({ engine, params, body, once }) =>
    engine.nodes.set(params.node, body, once),
  ),
  route(nodes.deactivateNode, ({ engine, params, once }) =>
    engine.nodes.deactivate(params.node, once),
  ),
  route(nodes.deleteNode, ({ engine, params, once }) => engine.nodes.delete(params.node, once)),
  route(nodes.listNodeAttempts, ({ engine, params, query }) =>
    engine.attempts.listByNode(params.node, query),
  ),
];
