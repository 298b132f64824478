import * as tokens from '../../contract/token-endpoints.ts';
import { type Route, route } from '../route.ts';

export const tokenRoutes: readonly Route[] = [
  route(tokens.whoAmI, async ({ principal }) => principal),
  route(tokens.createToken, ({ engine, body, once }) => engine.tokens.create(body, once)),
  route(tokens.listTokens, async ({ engine }) => ({ tokens: await engine.tokens.list() })),
  route(tokens.revokeToken, ({ engine, params, once }) => engine.tokens.revoke(params.token, once)),
];
