import type { Engine, Task, TaskSelection } from '../core/index.ts';

export const TASKS_PER_PAGE = 50;
const MOST_CALLS = 8;

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next: string | null;
}

/** One page of tasks. Where few match, a call may find none yet: then it asks on, but not for ever. */
export async function readTaskPage(
  engine: Engine,
  selection: TaskSelection,
  after: string | null,
): Promise<TaskPage> {
  const tasks: Task[] = [];
  let next = after;
  for (let call = 0; call < MOST_CALLS; call += 1) {
    const page = await engine.tasks.list(selection, {
      after: next,
      limit: TASKS_PER_PAGE - tasks.length,
    });
    tasks.push(...page.items);
    next = page.next;
    if (next === null || tasks.length >= TASKS_PER_PAGE) break;
  }
  return { tasks, next };
}
