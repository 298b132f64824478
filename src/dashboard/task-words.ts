/** How states and actions are called on the page. */
import {
  OPERATOR_MOVES,
  type OperatorMove,
  TASK_STATES,
  type TaskCounts,
  type TaskState,
} from '../core/index.ts';

/** What can be done to tasks from the page. */
export const ACTIONS = ['retry', 'release', 'hold', 'cancel', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

interface ActionWords {
  readonly verb: string;
  readonly done: string;
  /** What it means, for the one who must confirm it. */
  readonly meaning: string;
  readonly danger: boolean;
}

export const ACTION_WORDS: Readonly<Record<Action, ActionWords>> = {
  retry: {
    verb: 'Retry',
    done: 'put back in the queue',
    meaning: 'They go back to their queue with fresh tries.',
    danger: false,
  },
  release: {
    verb: 'Release',
    done: 'released',
    meaning: 'They may be claimed again.',
    danger: false,
  },
  hold: {
    verb: 'Hold',
    done: 'held',
    meaning: 'They wait until somebody releases them.',
    danger: false,
  },
  cancel: {
    verb: 'Cancel',
    done: 'cancelled or asked to stop',
    meaning: 'Waiting tasks are cancelled; running ones are stopped by their nodes.',
    danger: true,
  },
  delete: {
    verb: 'Delete',
    done: 'deleted',
    meaning: 'They go away with their attempts and output. This cannot be undone.',
    danger: true,
  },
};

/** The states an action can be used on. */
export function statesFor(action: Action): readonly TaskState[] {
  if (action === 'delete') return TASK_STATES;
  return Object.keys(OPERATOR_MOVES[action as OperatorMove]) as TaskState[];
}

/** `delayed` may be retried, which readies it: on a page that is clearer as its own word. */
export function canDo(action: Action, state: TaskState): boolean {
  return statesFor(action).includes(state);
}

/** From done to waiting, as a bar of progress is read. */
export const BAR_STATES = [
  'succeeded',
  'failed',
  'terminated',
  'orphaned',
  'cancelled',
  'running',
  'claimed',
  'queued',
  'delayed',
  'held',
] as const satisfies readonly TaskState[];

export function waitingCount({ queued, delayed, held }: TaskCounts): number {
  return queued + delayed + held;
}

export function liveCount({ claimed, running }: TaskCounts): number {
  return claimed + running;
}

/** Those that want a look: nothing goes on with them by itself. */
export function troubleCount({ failed, terminated, orphaned }: TaskCounts): number {
  return failed + terminated + orphaned;
}

export function totalCount(counts: TaskCounts): number {
  return TASK_STATES.reduce((sum, state) => sum + counts[state], 0);
}

export function sumCounts(all: readonly TaskCounts[]): TaskCounts {
  return Object.fromEntries(
    TASK_STATES.map((state) => [state, all.reduce((sum, counts) => sum + counts[state], 0)]),
  ) as Record<TaskState, number>;
}
