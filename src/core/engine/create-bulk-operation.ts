import { checkOneOf } from '../domain/check.ts';
import type { Task } from '../domain/task.ts';
import { invalid } from '../errors.ts';
import type { TaskFilter } from '../store/task-store.ts';
import type { Handle } from './engine-context.ts';
import { type OnceOptions, once } from './once.ts';
import { checkTaskEdit } from './task-edit.ts';
import { isEmptySelection, toTaskFilter } from './task-filter.ts';
import {
  BULK_ACTIONS,
  type BulkAnswer,
  type BulkRequest,
  type TaskOperations,
} from './task-operations.ts';

const TASKS_PER_STEP = 500;

export function createBulkOperation(handle: Handle): TaskOperations['bulk'] {
  const { store, namespace } = handle;

  /** One step on one page of tasks; says how many it changed. */
  const act = async (
    request: BulkRequest,
    tasks: readonly Task[],
    options: OnceOptions | undefined,
  ): Promise<number> => {
    const ids = tasks.map(({ id }) => id);
    const onlyStates = request.filter.states && { onlyStates: request.filter.states };
    const { action, change } = request;
    const digest = ['tasks.bulk', action, request.filter, change];
    if (action === 'delete') {
      return once(handle, options, digest, (step) =>
        store.tasks.delete({ namespace, ids, ...onlyStates }, step),
      );
    }
    if (action === 'edit') {
      const edited = await once(handle, options, digest, (step) =>
        store.tasks.edit({ namespace, ids, change: change ?? {} }, step),
      );
      return edited.filter((task) => task !== null).length;
    }
    const moved = await once(handle, options, digest, (step) =>
      store.tasks.move({ namespace, ids, move: action, ...onlyStates }, step),
    );
    return moved.filter(({ status }) => status === 'moved' || status === 'requested').length;
  };

  return async (request, options) => {
    checkBulk(request);
    const filter = await toTaskFilter(handle, request.filter);
    const answer = { matched: 0, changed: 0 };
    for await (const tasks of pagesOf(handle, filter)) {
      answer.matched += tasks.length;
      if (request.dryRun) continue;
      // Named by the first task of the page: a repeated call meets only what is left, never a part done before.
      const part = tasks[0]?.id;
      answer.changed += await act(request, tasks, options && { ...options, ...(part && { part }) });
    }
    return answer satisfies BulkAnswer;
  };
}

/** Oldest first by id: what the action changes lies behind, so no task is met twice. */
async function* pagesOf(handle: Handle, filter: TaskFilter): AsyncGenerator<readonly Task[]> {
  let after: string | null = null;
  do {
    const page: { items: readonly Task[]; next: string | null } = await handle.store.tasks.list(
      handle.namespace,
      { ...filter, sort: 'id', direction: 'asc', after, limit: TASKS_PER_STEP },
      handle.step(),
    );
    if (page.items.length > 0) yield page.items;
    after = page.next;
  } while (after !== null);
}

function checkBulk({ action, filter, change, all }: BulkRequest): void {
  checkOneOf('action', action, BULK_ACTIONS);
  if (isEmptySelection(filter) && !all) {
    throw invalid(
      'filter',
      'it is empty and would meet every task',
      'Name what you mean, or say all: true',
    );
  }
  if (action === 'edit' && !change)
    throw invalid('change', 'an edit needs one', 'Say what to change');
  if (action !== 'edit' && change) throw invalid('change', `${action} takes none`, 'Leave it out');
  if (change) checkTaskEdit(change);
}
