import { HOLD_REASONS, TASK_STATES, type TaskSelection } from '../core/index.ts';
import { type ValuesOf, value, values } from './option.ts';
import { toChoice, toChoices, toMoment, toPair, toText } from './option-values.ts';

/** How commands choose tasks: the same everywhere, and the same as the API's filter. */
export const SELECTION_OPTIONS = {
  queue: values('--queue <name>', 'Only tasks of this queue.', toText, 'queue'),
  state: values(
    '--state <states>',
    'Only tasks in these states, separated by commas.',
    toChoices(TASK_STATES),
    TASK_STATES,
  ),
  label: values('--label <name=value>', 'Only tasks with this label.', toPair),
  key: values('--key <key>', 'Only the task with this key.', toText),
  node: value('--node <name>', 'Only tasks that this node holds.', toText, 'node'),
  search: value('--search <text>', 'Only tasks with this text in key, error or params.', toText),
  createdAfter: value(
    '--created-after <time>',
    'Only tasks made after a time, or within a duration (2h).',
    toMoment(-1),
  ),
  createdBefore: value(
    '--created-before <time>',
    'Only tasks made before a time, or longer ago than a duration.',
    toMoment(-1),
  ),
  holdReason: value(
    '--hold-reason <reason>',
    `Only tasks held for this reason: ${HOLD_REASONS.join(', ')}.`,
    toChoice(HOLD_REASONS),
    HOLD_REASONS,
  ),
};

export type SelectionValues = ValuesOf<typeof SELECTION_OPTIONS>;

export function toSelection(given: SelectionValues, now: Date): TaskSelection {
  const { queue, state, label, key, node, search, createdAfter, createdBefore, holdReason } = given;
  return {
    ...(queue.length > 0 && { queues: queue }),
    ...(state.length > 0 && { states: state.flat() }),
    ...(label.length > 0 && { labels: Object.fromEntries(label) }),
    ...(key.length > 0 && { keys: key }),
    ...(node !== undefined && { node }),
    ...(search !== undefined && { search }),
    ...(createdAfter && { createdAfter: createdAfter(now) }),
    ...(createdBefore && { createdBefore: createdBefore(now) }),
    ...(holdReason && { hold: holdReason }),
  };
}

export function isEmpty(selection: TaskSelection): boolean {
  return Object.keys(selection).length === 0;
}
