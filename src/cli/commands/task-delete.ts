import { command } from '../command.ts';
import { ACTION_OPTIONS, actOnTasks } from '../task-action.ts';

export const taskDelete = command({
  name: 'task delete',
  usage: '[task-id...]',
  summary: 'Delete tasks with their attempts and output.',
  examples: ['batchyard task delete --queue thumbs --state succeeded --created-before 30d'],
  options: ACTION_OPTIONS,

  run: (session) =>
    actOnTasks(session, {
      action: 'delete',
      done: 'Deleted',
      async apply(id) {
        await session.engine.tasks.delete(id);
        return null;
      },
    }),
});
