import type { TaskEdit } from '../../core/index.ts';
import { command } from '../command.ts';
import { value, values } from '../option.ts';
import { orNone, toInteger, toJson, toMoment, toPair } from '../option-values.ts';
import { ACTION_OPTIONS, actOnTasks } from '../task-action.ts';
import { UsageError } from '../usage-error.ts';

export const taskEdit = command({
  name: 'task edit',
  usage: '[task-id...]',
  summary: 'Change tasks: priority, params, time, labels.',
  examples: [
    'batchyard task edit 6918e0f20001a1b2c3000001 --priority 10',
    'batchyard task edit --queue thumbs --state queued --priority-by 5',
  ],
  options: {
    priority: value('--priority <number>', 'The new priority; higher runs sooner.', toInteger),
    priorityBy: value('--priority-by <number>', 'Add this to the priority.', toInteger),
    params: value('--params <json>', 'The new params.', toJson),
    at: value(
      '--at <time>',
      'Not before a time, or a duration from now; "none": at once.',
      orNone(toMoment(1)),
    ),
    setLabel: values(
      '--set-label <name=value>',
      'The new labels, instead of all old ones.',
      toPair,
    ),
    ...ACTION_OPTIONS,
  },

  run(session) {
    const { priority, priorityBy, params, at, setLabel } = session.options;
    const change: TaskEdit = {
      ...(priority !== undefined && { priority }),
      ...(priorityBy !== undefined && { priorityBy }),
      ...(params !== undefined && { params }),
      ...(at !== undefined && { notBefore: at?.(session.clock.now()) ?? null }),
      ...(setLabel.length > 0 && { labels: Object.fromEntries(setLabel) }),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError('Say what to change: --priority, --params, --at, --set-label …');
    }
    return actOnTasks(session, {
      action: 'edit',
      done: 'Changed',
      change,
      apply: (id) => session.engine.tasks.edit(id, change),
    });
  },
});
