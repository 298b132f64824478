import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const queuePause = command({
  name: 'queue pause',
  usage: '<queue...>',
  summary: 'Run no more tasks of a queue; what runs goes on.',
  completion: ['queue'],

  async run({ engine, args, out }) {
    for (const name of args) {
      const queue = await engine.queues.pause(name);
      out.print(queue, `Paused queue ${queue.name}.`);
    }
    return EXIT.ok;
  },
});
