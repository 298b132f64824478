import { checkDate, checkOneOf, checkText } from '../domain/check.ts';
import { HOLD_REASONS, TASK_STATES } from '../domain/task.ts';
import { invalid } from '../errors.ts';
import type { TaskFilter } from '../store/task-store.ts';
import type { Handle } from './engine-context.ts';
import { checkedKey } from './new-task.ts';
import { getQueue } from './queue-lookup.ts';
import type { TaskSelection } from './task-operations.ts';

const MOST_NAMED = 10_000;

/** Checks a caller's filter and puts queue ids for names. QUEUE_NOT_FOUND for a name that is none. */
export async function toTaskFilter(handle: Handle, selection: TaskSelection): Promise<TaskFilter> {
  const { queues, states, ids, keys, labels, node, hold, createdAfter, createdBefore, search } =
    selection;
  for (const [field, list] of Object.entries({ queues, states, ids, keys })) {
    if (list && list.length > MOST_NAMED) {
      throw invalid(field, `it names ${list.length}`, `Name at most ${MOST_NAMED}`);
    }
  }
  for (const state of states ?? []) checkOneOf('states', state, TASK_STATES);
  if (hold !== undefined) checkOneOf('hold', hold, HOLD_REASONS);
  if (search !== undefined) checkText('search', search, 1024);
  if (createdAfter !== undefined) checkDate('createdAfter', createdAfter);
  if (createdBefore !== undefined) checkDate('createdBefore', createdBefore);
  const found = queues && (await Promise.all(queues.map((name) => getQueue(handle, name))));
  return {
    ...(found && { queueIds: found.map(({ id }) => id) }),
    ...(states && { states }),
    ...(ids && { ids }),
    ...(keys && { keys: keys.map((key) => checkedKey('keys', key)) }),
    ...(labels && { labels }),
    ...(node !== undefined && { node }),
    ...(hold && { hold }),
    ...(createdAfter && { createdAfter }),
    ...(createdBefore && { createdBefore }),
    ...(search !== undefined && search !== '' && { search }),
  };
}

/** A filter that names nothing at all: it would meet every task. */
export function isEmptySelection(selection: TaskSelection): boolean {
  return Object.values(selection).every(
    (value) =>
      value === undefined ||
      value === '' ||
      (typeof value === 'object' && Object.keys(value).length === 0 && !(value instanceof Date)),
  );
}
