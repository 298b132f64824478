import { command } from '../command.ts';
import { ACTION_OPTIONS, actOnTasks } from '../task-action.ts';

export const taskRetry = command({
  name: 'task retry',
  usage: '[task-id...]',
  summary: 'Put ended tasks back in their queues with fresh tries.',
  examples: [
    'batchyard task retry 6918e0f20001a1b2c3000001',
    'batchyard task retry --queue thumbs            # those that failed or were lost',
    'batchyard task retry --queue thumbs --state cancelled --dry-run',
  ],
  options: ACTION_OPTIONS,

  run: (session) =>
    actOnTasks(session, {
      action: 'retry',
      done: 'Put back',
      apply: (id) => session.engine.tasks.retry(id),
    }),
});
