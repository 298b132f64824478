import type { TaskPageRequest, TaskSelection, WaitAnswer } from '../../../core/index.ts';
import * as actions from '../../contract/task-action-endpoints.ts';
import * as tasks from '../../contract/task-endpoints.ts';
import { type Call, type Route, route } from '../route.ts';
import { submitStream } from '../task-stream.ts';

/** The engine's wait cannot be called off, so it is made of short ones. */
const WAIT_SLICE_MS = 1000;

export const taskRoutes: readonly Route[] = [
  {
    ...route(tasks.submitTasks, async ({ engine, params, query, body, once }) => {
      const options = { ...once, onConflict: body.onConflict ?? query.onConflict ?? 'refuse' };
      return { tasks: await engine.tasks.submit(params.queue, body.tasks, options) };
    }),
    stream(call, body) {
      const { engine, params, query, once, clock, signal } = call as SubmitCall;
      const { onConflict = 'refuse' } = query;
      return submitStream({ engine, ...params, ...once, onConflict, clock, signal, body });
    },
  },
  route(tasks.findTaskByKey, async ({ engine, params, query }) => ({
    task: await engine.tasks.findByKey(params.queue, query.key),
  })),
  route(tasks.listTasks, ({ engine, query }) => {
    const [filter, page] = fromListQuery(query);
    return engine.tasks.list(filter, page);
  }),
  route(tasks.searchTasks, ({ engine, body }) => {
    const { filter = {}, ...page } = body;
    return engine.tasks.list(filter, page);
  }),
  route(tasks.getTask, ({ engine, params }) => engine.tasks.get(params.task)),
  route(tasks.editTask, ({ engine, params, body, once }) =>
    engine.tasks.edit(params.task, body, once),
  ),
  route(actions.cancelTask, ({ engine, params, once }) => engine.tasks.cancel(params.task, once)),
  route(actions.retryTask, ({ engine, params, once }) => engine.tasks.retry(params.task, once)),
  route(actions.holdTask, ({ engine, params, once }) => engine.tasks.hold(params.task, once)),
  route(actions.releaseTask, ({ engine, params, once }) => engine.tasks.release(params.task, once)),
  route(actions.deleteTask, ({ engine, params, once }) => engine.tasks.delete(params.task, once)),
  route(actions.bulkTasks, ({ engine, body, once }) => engine.tasks.bulk(body, once)),
  route(actions.whyTask, ({ engine, params }) => engine.tasks.why(params.task)),
  route(actions.waitForTasks, ({ engine, body, clock, signal }) => {
    const deadline = clock.monotonicMs() + body.timeoutMs;
    const wait = async (): Promise<WaitAnswer> => {
      const leftMs = Math.max(0, Math.ceil(deadline - clock.monotonicMs()));
      const timeoutMs = Math.min(leftMs, WAIT_SLICE_MS);
      const answer = await engine.tasks.wait({ filter: body.filter, timeoutMs });
      return answer.done || leftMs <= WAIT_SLICE_MS || signal.aborted ? answer : wait();
    };
    return wait();
  }),
];

type SubmitCall = Call<
  { readonly namespace: string; readonly queue: string },
  { readonly onConflict?: 'refuse' | 'replace' | 'skip' }
>;

function fromListQuery(query: tasks.ListQuery): [TaskSelection, TaskPageRequest] {
  const { queue, state, id, key, label, sort, direction, after, limit, ...rest } = query;
  const filter = {
    ...rest,
    ...(queue && { queues: queue }),
    ...(state && { states: state }),
    ...(id && { ids: id }),
    ...(key && { keys: key }),
    ...(label && { labels: label }),
  };
  const page = {
    ...(sort && { sort }),
    ...(direction && { direction }),
    ...(after !== undefined && { after }),
    ...(limit !== undefined && { limit }),
  };
  return [filter, page];
}
