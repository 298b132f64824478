import { checkJson, checkNumber, checkOneOf, checkText, checkWhole } from '../domain/check.ts';
import { toKeyBytes } from '../domain/key.ts';
import { QUEUE_DEFAULTS, type Queue } from '../domain/queue.ts';
import type { Task } from '../domain/task.ts';
import { BatchError, invalid } from '../errors.ts';
import { afterAttempt, type Consequence, SUCCESS } from '../rules/after-attempt.ts';
import { rankOf } from '../rules/rank.ts';
import type { Emission, SettleAnswer, Settlement } from '../store/attempt-store.ts';
import {
  type AttemptOperations,
  type EmitRequest,
  SETTLE_OUTCOMES,
  type SettleRequest,
} from './attempt-operations.ts';
import type { Handle } from './engine-context.ts';
import { toNewTask } from './new-task.ts';
import { findQueues } from './queue-lookup.ts';

export const MOST_SETTLED = 5000;
const LONGEST_ERROR = 16_384;
const MOST_EMITTED = 10_000;
/** Where tasks were kept whose queue is gone: nobody would try them again. */
const DELETED_QUEUE = { ...QUEUE_DEFAULTS, maxAttempts: 1 };

export function createSettleOperation(handle: Handle): AttemptOperations['settle'] {
  const { store, namespace } = handle;
  return async (requests) => {
    if (requests.length > MOST_SETTLED) {
      throw invalid('items', `${requests.length} in one call`, `Send at most ${MOST_SETTLED}`);
    }
    const checked = requests.map(bounded);
    const settlements = checked.every(isPlainSuccess)
      ? checked.map((request) => settlement(request, SUCCESS, [], null))
      : await withConsequences(handle, checked);
    const answers = await store.attempts.settle(namespace, settlements, handle.step());
    return answers as SettleAnswer[];
  };
}

function isPlainSuccess({ outcome, emit, again }: SettleRequest): boolean {
  return outcome === 'succeeded' && !again && (emit === undefined || emit.length === 0);
}

/** Looks up what the consequences depend on: the tasks' counters and their queues. */
async function withConsequences(
  handle: Handle,
  requests: readonly SettleRequest[],
): Promise<Settlement[]> {
  const ids = requests.filter((request) => !isPlainSuccess(request)).map(({ taskId }) => taskId);
  const tasks = new Map<string, Task>();
  for (const task of await handle.store.tasks.peek(handle.namespace, ids)) {
    if (task) tasks.set(task.id, task);
  }
  const own = await findQueues(
    handle,
    [...tasks.values()].map(({ queue }) => queue),
  );
  const names = await findQueues(handle, emittedTo(requests, own.values()));
  return requests.map((request) => {
    const task = tasks.get(request.taskId);
    // Of an unknown task only the answer `lost` can come; what is asked for does not matter.
    if (!task) return settlement(request, SUCCESS, [], null);
    const named = own.get(task.queue);
    const queue = named?.id === task.queueId ? named : DELETED_QUEUE;
    const consequence = afterAttempt(request, { task, queue }, handle.random);
    const emit = (request.emit ?? []).flatMap((one, index) =>
      emission(handle, one, index, queue, names),
    );
    const key = task.key === null ? null : toKeyBytes(task.key);
    const again = request.again
      ? {
          rank: rankOf(queue.order, handle.ids.next(), key),
          ...(request.again.params !== undefined && { params: request.again.params }),
        }
      : null;
    return settlement(request, consequence, emit, again);
  });
}

/** All queues that emissions name, or would go to without a name. */
function emittedTo(requests: readonly SettleRequest[], from: Iterable<Queue>): string[] {
  const named = requests.flatMap(({ emit = [] }) => emit.flatMap(({ queue }) => queue ?? []));
  if (requests.every(({ emit = [] }) => emit.length === 0)) return [];
  return [...named, ...[...from].flatMap(({ nextQueue }) => nextQueue ?? [])];
}

function emission(
  handle: Handle,
  request: EmitRequest,
  index: number,
  from: Pick<Queue, 'nextQueue'>,
  names: ReadonlyMap<string, Queue>,
): Emission[] {
  const name = request.queue ?? from.nextQueue;
  const queue = name === null ? undefined : names.get(name);
  if (!queue) return [];
  const { queue: _, onConflict = 'replace', ...submission } = request;
  const task = toNewTask(`emit[${index}]`, submission, queue, handle.ids);
  return [{ queueId: queue.id, task, onConflict }];
}

function settlement(
  request: SettleRequest,
  consequence: Consequence,
  emit: readonly Emission[],
  again: Settlement['again'],
): Settlement {
  const { taskId, fence, output, error = null, code = null } = request;
  return {
    taskId,
    fence,
    ...consequence,
    ...(output !== undefined && { data: output }),
    error,
    code,
    emit,
    again,
  };
}

/** A result that is too large ends the attempt with that reason, so that no task hangs on its size. */
function bounded(request: SettleRequest): SettleRequest {
  checkOneOf('outcome', request.outcome, SETTLE_OUTCOMES);
  checkSettle(request);
  if (request.output === undefined) return request;
  try {
    checkJson('output', request.output);
    return request;
  } catch (error) {
    if (!(error instanceof BatchError) || error.code !== 'TOO_LARGE') throw error;
    const { output: _, emit: __, again: ___, ...rest } = request;
    return { ...rest, outcome: 'failed', final: true, error: error.message };
  }
}

function checkSettle({ fence, error, code, delayMs, emit, again }: SettleRequest): void {
  if (fence !== null) checkWhole('fence', fence, { min: 1 });
  if (error != null) checkText('error', error, LONGEST_ERROR);
  if (code != null) checkNumber('code', code);
  if (delayMs !== undefined) checkWhole('delayMs', delayMs);
  if (again?.delayMs !== undefined) checkWhole('again.delayMs', again.delayMs);
  if (again?.params !== undefined) checkJson('again.params', again.params);
  if (emit && emit.length > MOST_EMITTED) {
    throw invalid('emit', `${emit.length} tasks`, `Emit at most ${MOST_EMITTED} at a time`);
  }
}
