import * as attempts from '../../contract/attempt-endpoints.ts';
import { type Route, route } from '../route.ts';

export const attemptRoutes: readonly Route[] = [
  route(attempts.claimTasks, ({ engine, body, once, signal }) => {
    const { idempotencyKey: token } = once;
    return engine.attempts.claim({ ...body, ...(token !== undefined && { token }), signal });
  }),
  route(attempts.claimTask, ({ engine, params, body }) =>
    engine.attempts.claimTask(params.task, body),
  ),
  route(attempts.assignTask, async ({ engine, params, body }) => ({
    assignment: await engine.attempts.assign(params.task, body),
  })),
  route(attempts.startAttempts, async ({ engine, body }) => ({
    answers: await engine.attempts.start(body.items),
  })),
  route(attempts.renewAttempts, async ({ engine, body }) => ({
    answers: await engine.attempts.renew(body.items),
  })),
  route(attempts.settleAttempts, async ({ engine, body }) => ({
    answers: await engine.attempts.settle(body.items),
  })),
  route(attempts.listAttempts, async ({ engine, params }) => ({
    attempts: await engine.attempts.list(params.task),
  })),
];
