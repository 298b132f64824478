import * as endpoints from '../api/contract/attempt-endpoints.ts';
import { listNodeAttempts } from '../api/contract/node-endpoints.ts';
import type { AttemptOperations, ClaimAnswer } from '../core/index.ts';
import type { Connection } from './connection.ts';
import { toPageQuery } from './remote-answers.ts';
import { waitFor } from './waiting.ts';

const NOTHING: ClaimAnswer = { claims: [], queues: {} };

export function remoteAttemptOperations(
  { call, clock, newKey }: Connection,
  namespace: string,
): AttemptOperations {
  const params = { namespace };
  return {
    async claim({ token = newKey(), signal, waitMs = 0, ...rest }) {
      try {
        return await waitFor({
          clock,
          waitMs,
          ask: (ms) =>
            call(endpoints.claimTasks, {
              params,
              body: { ...rest, waitMs: ms },
              key: token,
              signal,
              waitMs: ms,
            }),
          isEnough: ({ claims }) => claims.length > 0 || signal?.aborted === true,
        });
      } catch (error) {
        if (signal?.aborted) return NOTHING;
        throw error;
      }
    },
    claimTask: (task, body) => call(endpoints.claimTask, { params: { namespace, task }, body }),
    async assign(task, body) {
      const answer = await call(endpoints.assignTask, { params: { namespace, task }, body });
      return answer.assignment;
    },
    start: async (items) =>
      (await call(endpoints.startAttempts, { params, body: { items } })).answers,
    renew: async (items) =>
      (await call(endpoints.renewAttempts, { params, body: { items } })).answers,
    settle: async (items) =>
      (await call(endpoints.settleAttempts, { params, body: { items } })).answers,
    async list(task) {
      return (await call(endpoints.listAttempts, { params: { namespace, task } })).attempts;
    },
    listByNode: (node, page = {}) =>
      call(listNodeAttempts, {
        params: { namespace, node },
        query: { ...toPageQuery(page), ...(page.live !== undefined && { live: page.live }) },
      }),
  };
}
