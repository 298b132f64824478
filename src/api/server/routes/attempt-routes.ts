import * as attempts from '../../contract/attempt-endpoints.ts';
import { type Route, route } from '../route.ts';

export const attemptRoutes: readonly Route[] = [
  route(attempts.claimTasks, async ({ engine, body, once, signal }) => {
    const { idempotencyKey: token } = once;
    if (token === undefined) return engine.attempts.claim({ ...body, signal });
    const answer = await engine.attempts.claim({ ...body, token, signal });
    if (answer.claims.length > 0 || signal.aborted) return answer;
    // Under a token the engine gives nothing where all it took had been claimed too often, and
    // the queue may hold more. Clients name every call, so it is asked anew here.
    return engine.attempts.claim({ ...body, token: `${token}/2`, waitMs: 0 });
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
