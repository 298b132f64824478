import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const queueResume = command({
  name: 'queue resume',
  usage: '<queue...>',
  summary: 'Run tasks of a paused queue again.',
  completion: ['queue'],

  async run({ engine, args, out }) {
    for (const name of args) {
      const queue = await engine.queues.resume(name);
      out.print(queue, `Resumed queue ${queue.name}.`);
    }
    return EXIT.ok;
  },
});
