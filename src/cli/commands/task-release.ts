import { command } from '../command.ts';
import { ACTION_OPTIONS, actOnTasks } from '../task-action.ts';

export const taskRelease = command({
  name: 'task release',
  usage: '[task-id...]',
  summary: 'Let held tasks go on.',
  options: ACTION_OPTIONS,

  run: (session) =>
    actOnTasks(session, {
      action: 'release',
      done: 'Released',
      apply: (id) => session.engine.tasks.release(id),
    }),
});
