/** One action on tasks: on those named, or by the server on all that match a filter. */
import {
  BatchError,
  type BulkAction,
  isId,
  OPERATOR_MOVES,
  type Task,
  type TaskEdit,
  type TaskId,
  type TaskSelection,
  type TaskState,
} from '../core/index.ts';
import type { EngineSession } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { toMessage } from './failure.ts';
import { countOf, formatCount } from './numbers.ts';
import { flag } from './option.ts';
import { isEmpty, SELECTION_OPTIONS, toSelection } from './task-selection.ts';
import { toPlainLine } from './terminal-text.ts';
import { UsageError } from './usage-error.ts';

export const ACTION_OPTIONS = {
  ...SELECTION_OPTIONS,
  all: flag('--all', 'All tasks of the namespace that the other options leave.'),
  dryRun: flag('--dry-run', 'Only count what would be met.'),
  yes: flag('-y, --yes', 'Do not ask before acting on what a filter meets.'),
};

export interface TaskAction {
  readonly action: BulkAction;
  /** `Cancelled`, `cancel` */
  readonly done: string;
  readonly change?: TaskEdit;
  /** What it does to one task; null when the task is gone afterwards. */
  readonly apply: (id: TaskId) => Promise<Task | null>;
}

type ActionSession = EngineSession<typeof ACTION_OPTIONS>;

export async function actOnTasks(session: ActionSession, action: TaskAction): Promise<ExitCode> {
  const { args, options, clock } = session;
  const selection = toSelection(options, clock.now());
  const isFiltered = !isEmpty(selection) || options.all;
  if (args.length > 0 && isFiltered) {
    throw new UsageError('Name tasks by id or choose them by options, not both.');
  }
  if (args.length > 0) return actOnNamed(session, action);
  if (isFiltered) return actOnMatching(session, action, selection);
  throw new UsageError(
    'Name tasks by id, choose them (--queue, --state, --label …), or say --all.',
  );
}

async function actOnNamed({ args, options, out }: ActionSession, action: TaskAction) {
  let refused = 0;
  for (const id of args) {
    if (!isId(id)) throw new UsageError(`"${id}" is no task id: those have 24 hex digits.`);
  }
  if (options.dryRun) {
    out.print({ action: action.action, matched: args.length, changed: 0, dryRun: true }, [
      `Would ${action.action} ${countOf(args.length, 'task')}.`,
    ]);
    return EXIT.ok;
  }
  for (const id of args) {
    try {
      const task = await action.apply(id);
      const state = task === null ? 'deleted' : stateAfter(task);
      out.print(task ?? { id, deleted: true }, `${id}  ${state}`);
    } catch (error) {
      // One bad id must not stop the rest; a bug, or a server that is gone, must.
      if (!(error instanceof BatchError) || error.kind === 'unavailable') throw error;
      const message = toPlainLine(toMessage(error));
      out.problem(message, { error: { code: error.code, message, details: error.details } });
      refused += 1;
    }
  }
  return refused === 0 ? EXIT.ok : EXIT.failed;
}

function stateAfter({ state, cancelRequestedAt, attempt }: Task): string {
  return attempt !== null && cancelRequestedAt !== null ? `${state}, asked to stop` : state;
}

async function actOnMatching(
  session: ActionSession,
  { action, done, change }: TaskAction,
  chosen: TaskSelection,
): Promise<ExitCode> {
  const { engine, options, out, confirm, stdin } = session;
  const states = chosen.states ?? usualStates(action);
  const filter = { ...chosen, ...(states && { states }) };
  const request = { action, filter, ...(change && { change }), ...(options.all && { all: true }) };

  const { matched } = await engine.tasks.bulk({ ...request, dryRun: true });
  if (options.dryRun || matched === 0) {
    const text =
      matched === 0 ? 'No task matches.' : `Would ${action} ${countOf(matched, 'task')}.`;
    out.print({ action, matched, changed: 0, dryRun: options.dryRun }, text);
    return EXIT.ok;
  }
  if (!options.yes && stdin.isTTY) {
    const verb = action.charAt(0).toUpperCase() + action.slice(1);
    if (!(await confirm(`${verb} ${countOf(matched, 'task')}?`))) {
      out.note('Nothing was changed.');
      return EXIT.failed;
    }
  }
  const answer = await engine.tasks.bulk(request);
  const left = answer.matched - answer.changed;
  const rest = left === 0 ? '' : ` (${formatCount(left)} had moved on meanwhile)`;
  out.print({ action, ...answer }, `${done} ${countOf(answer.changed, 'task')}${rest}.`);
  return EXIT.ok;
}

/**
 * Tasks the action can do something with, so that the count is true. A retry by
 * filter leaves alone what succeeded or was stopped on purpose, unless it is named.
 */
function usualStates(action: BulkAction): readonly TaskState[] | undefined {
  if (action === 'delete' || action === 'edit') return undefined;
  if (action === 'retry') return ['failed', 'orphaned'];
  return Object.keys(OPERATOR_MOVES[action]) as TaskState[];
}
