import { command } from '../command.ts';
import { ACTION_OPTIONS, actOnTasks } from '../task-action.ts';

export const taskCancel = command({
  name: 'task cancel',
  usage: '[task-id...]',
  summary: 'Cancel tasks that wait, and stop those that run.',
  examples: [
    'batchyard task cancel 6918e0f20001a1b2c3000001',
    'batchyard task cancel --queue thumbs --created-before 2h --dry-run',
  ],
  options: ACTION_OPTIONS,

  run: (session) =>
    actOnTasks(session, {
      action: 'cancel',
      done: 'Cancelled',
      apply: (id) => session.engine.tasks.cancel(id),
    }),
});
