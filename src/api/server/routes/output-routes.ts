import * as outputs from '../../contract/output-endpoints.ts';
import { type Route, route } from '../route.ts';

export const outputRoutes: readonly Route[] = [
  route(outputs.appendOutput, ({ engine, params, body }) =>
    engine.outputs.append(params.task, body.fence, body.chunks),
  ),
  route(outputs.readOutput, ({ engine, params, query, signal }) =>
    engine.outputs.read(params.task, { ...query, signal }),
  ),
  route(outputs.tailOutput, ({ engine, params, query }) => engine.outputs.tail(params.task, query)),
];
