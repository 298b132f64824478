import type { Endpoint } from '../api/contract/endpoint.ts';
import * as actions from '../api/contract/task-action-endpoints.ts';
import * as endpoints from '../api/contract/task-endpoints.ts';
import {
  invalid,
  type Repeatable,
  type Task,
  type TaskId,
  type TaskOperations,
} from '../core/index.ts';
import type { Connection } from './connection.ts';
import { nullIfMissing } from './remote-answers.ts';
import { waitFor } from './waiting.ts';

export function remoteTaskOperations(
  { call, clock }: Connection,
  namespace: string,
): TaskOperations {
  const get = (task: TaskId) => call(endpoints.getTask, { params: { namespace, task } });
  const act =
    (endpoint: Endpoint<endpoints.OneTask, unknown, unknown, Task>) =>
    (task: TaskId, options: Repeatable = {}) =>
      call(endpoint, { params: { namespace, task }, key: options.idempotencyKey });
  return {
    async submit(queue, tasks, { onConflict, idempotencyKey: key, tx } = {}) {
      if (tx !== undefined) {
        throw invalid(
          'tx',
          'a transaction does not reach across HTTP',
          'Leave it out, or embed the engine',
        );
      }
      const answer = await call(endpoints.submitTasks, {
        params: { namespace, queue },
        body: { tasks, ...(onConflict && { onConflict }) },
        key,
      });
      return answer.tasks;
    },
    find: (id) => nullIfMissing('TASK_NOT_FOUND', get(id)),
    get,
    async findByKey(queue, key) {
      const request = { params: { namespace, queue }, query: { key } };
      return (await call(endpoints.findTaskByKey, request)).task;
    },
    list: (filter = {}, page = {}) =>
      call(endpoints.searchTasks, { params: { namespace }, body: { ...page, filter } }),
    edit: (task, body, options = {}) =>
      call(endpoints.editTask, { params: { namespace, task }, body, key: options.idempotencyKey }),
    cancel: act(actions.cancelTask),
    retry: act(actions.retryTask),
    hold: act(actions.holdTask),
    release: act(actions.releaseTask),
    async delete(task, options = {}) {
      await call(actions.deleteTask, { params: { namespace, task }, key: options.idempotencyKey });
    },
    bulk: (body, options = {}) =>
      call(actions.bulkTasks, { params: { namespace }, body, key: options.idempotencyKey }),
    why: (task) => call(actions.whyTask, { params: { namespace, task } }),
    wait: ({ filter, timeoutMs }) =>
      waitFor({
        clock,
        waitMs: timeoutMs,
        ask: (waitMs) =>
          call(actions.waitForTasks, {
            params: { namespace },
            body: { filter, timeoutMs: waitMs },
            waitMs,
          }),
        isEnough: ({ done }) => done,
      }),
  };
}
