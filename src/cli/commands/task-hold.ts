import { command } from '../command.ts';
import { ACTION_OPTIONS, actOnTasks } from '../task-action.ts';

export const taskHold = command({
  name: 'task hold',
  usage: '[task-id...]',
  summary: 'Hold waiting tasks back until they are released.',
  options: ACTION_OPTIONS,

  run: (session) =>
    actOnTasks(session, {
      action: 'hold',
      done: 'Held',
      apply: (id) => session.engine.tasks.hold(id),
    }),
});
