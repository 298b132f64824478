import { checkOneOf } from '../domain/check.ts';
import type { TaskId } from '../domain/ids.ts';
import { keyText } from '../domain/key.ts';
import type { OperatorMove, Task } from '../domain/task.ts';
import { BatchError, invalid } from '../errors.ts';
import { waitingReasons } from '../rules/waiting-reasons.ts';
import type { Mutation } from '../store/step.ts';
import type { Submission, SubmitAnswer } from '../store/task-store.ts';
import { createBulkOperation } from './create-bulk-operation.ts';
import { createWaitOperation } from './create-wait-operation.ts';
import { type Handle, storeNow } from './engine-context.ts';
import { checkedKey, toNewTask } from './new-task.ts';
import { once } from './once.ts';
import { pageOf } from './page-of.ts';
import { getQueue, queueMissing } from './queue-lookup.ts';
import type { Repeatable } from './repeatable.ts';
import { checkTaskEdit } from './task-edit.ts';
import { toTaskFilter } from './task-filter.ts';
import type { TaskOperations, TaskSubmission } from './task-operations.ts';

/** One call; larger loads come in several, or as a stream. */
export const MOST_TASKS_PER_SUBMIT = 10_000;
const MOST_AHEAD = 100_000;
/** The step that follows checks that the queue is still there. */
const RECENT = { maxAgeMs: 100 };

const PAST_TENSE: Record<OperatorMove, string> = {
  cancel: 'cancelled',
  retry: 'retried',
  hold: 'held',
  release: 'released',
};

export function createTaskOperations(handle: Handle): TaskOperations {
  const { store, namespace, ids } = handle;

  const missing = (task: TaskId) => new BatchError('TASK_NOT_FOUND', { task, namespace });
  const find = async (id: TaskId): Promise<Task | null> =>
    store.tasks.find(namespace, id, handle.step());
  const get = async (id: TaskId): Promise<Task> => {
    const task = await find(id);
    if (task === null) throw missing(id);
    return task;
  };

  const move =
    (name: OperatorMove) =>
    async (id: TaskId, options?: Repeatable): Promise<Task> => {
      const [answer] = await once(handle, options, [`tasks.${name}`, id], (step) =>
        store.tasks.move({ namespace, ids: [id], move: name }, step),
      );
      if (!answer || answer.status === 'missing') throw missing(id);
      if (answer.status === 'refused') {
        throw new BatchError('TASK_STATE', {
          task: id,
          state: answer.state ?? 'unknown',
          action: PAST_TENSE[name],
        });
      }
      return get(id);
    };

  return {
    async submit(queueName, submissions, options = {}) {
      const { onConflict = 'refuse', tx } = options;
      checkCount(submissions);
      checkOneOf('onConflict', onConflict, ['replace', 'skip', 'refuse']);
      const submitTo = async (step: Mutation, age?: { maxAgeMs: number }) => {
        const queue = await getQueue(handle, queueName, age);
        const tasks = submissions.map((task, index) =>
          toNewTask(`tasks[${index}]`, task, queue, ids),
        );
        const submission = { queueId: queue.id, tasks, onConflict };
        if (tx === undefined) return store.tasks.submit(submission, step);
        return submitInTransaction(handle, tx, submission, step);
      };
      const request = ['tasks.submit', queueName, submissions, onConflict];
      const answer = await once(handle, options, request, async (step) => {
        if (step.once || tx !== undefined) return submitTo(step);
        const first = await submitTo(step, RECENT);
        // The queue may have been made anew meanwhile.
        return first.status === 'missing-queue' ? submitTo(step) : first;
      });
      if (answer.status === 'missing-queue') throw queueMissing(handle, queueName);
      if (answer.status === 'refused') throw exists(queueName, submissions, answer);
      return [...answer.tasks];
    },
    find,
    get,
    async findByKey(queueName, key) {
      const queue = await getQueue(handle, queueName);
      return store.tasks.findByKey(queue.id, checkedKey('key', key), handle.step());
    },
    async list(selection = {}, page = {}) {
      const filter = await toTaskFilter(handle, selection);
      const { sort = 'id', direction = 'desc' } = page;
      checkOneOf('sort', sort, ['id', 'key']);
      checkOneOf('direction', direction, ['asc', 'desc']);
      return store.tasks.list(
        namespace,
        { ...filter, sort, direction, ...pageOf(page) },
        handle.step(),
      );
    },
    async edit(id, change, options) {
      checkTaskEdit(change);
      const [edited] = await once(handle, options, ['tasks.edit', id, change], (step) =>
        store.tasks.edit({ namespace, ids: [id], change }, step),
      );
      if (!edited) throw missing(id);
      return get(id);
    },
    cancel: move('cancel'),
    retry: move('retry'),
    hold: move('hold'),
    release: move('release'),
    async delete(id, options) {
      const count = await once(handle, options, ['tasks.delete', id], (step) =>
        store.tasks.delete({ namespace, ids: [id] }, step),
      );
      if (count === 0) throw missing(id);
    },
    bulk: createBulkOperation(handle),
    async why(id) {
      const task = await get(id);
      const step = handle.step();
      const heads = await store.queues.heads(namespace, step);
      const { items: nodes } = await store.nodes.list(
        namespace,
        { after: null, limit: 1000, live: true },
        step,
      );
      const reasons = waitingReasons({
        task,
        nodes,
        head: heads.find(({ queue }) => queue.id === task.queueId) ?? null,
        position: await store.tasks.position(id, MOST_AHEAD, step),
        now: await storeNow(handle),
      });
      return { state: task.state, reasons };
    },
    wait: createWaitOperation(handle),
  };
}

async function submitInTransaction(
  { store }: Handle,
  tx: unknown,
  submission: Submission,
  step: Mutation,
): Promise<SubmitAnswer> {
  const { label } = store.capabilities;
  if (!store.tasks.submitIn) {
    const problem = `${label} cannot join a transaction of the caller`;
    throw invalid('tx', problem, 'Leave it out, or keep the data in PostgreSQL');
  }
  const answer = await store.tasks.submitIn(tx, submission, step);
  if (answer.status !== 'invalid') return answer;
  throw invalid('tx', answer.problem, `Use a connection to ${label} after its BEGIN`);
}

function checkCount(submissions: readonly TaskSubmission[]): void {
  if (!Array.isArray(submissions))
    throw invalid('tasks', 'it is not a list', 'Send a list of tasks');
  if (submissions.length > MOST_TASKS_PER_SUBMIT) {
    throw invalid(
      'tasks',
      `${submissions.length} in one call`,
      `Send at most ${MOST_TASKS_PER_SUBMIT} a call, or stream them as NDJSON`,
    );
  }
}

function exists(
  queue: string,
  submissions: readonly TaskSubmission[],
  { index, id }: { index: number; id: TaskId },
): BatchError {
  const { key, unique } = submissions[index] ?? {};
  const shown = key == null ? (unique?.key ?? '') : keyText(key);
  return new BatchError('TASK_EXISTS', {
    queue,
    key: JSON.stringify(shown),
    task: id,
    index: String(index),
  });
}
