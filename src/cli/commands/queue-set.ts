import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../option.ts';
import { QUEUE_OPTIONS, toQueueSettings } from '../queue-options.ts';
import { readProgram } from '../queue-program.ts';
import { UsageError } from '../usage-error.ts';

export const queueSet = command({
  name: 'queue set',
  usage: '<queue> [argv...]',
  summary: 'Change settings of a queue; what is not said stays.',
  examples: [
    'batchyard queue set thumbs --max-running 4 --max-run 10m',
    'batchyard queue set thumbs --max-running none',
  ],
  options: {
    ...QUEUE_OPTIONS,
    noProgram: flag('--without-program', 'Run no program any more.'),
  },
  completion: ['queue', 'none'],

  async run(session) {
    const { engine, args, options, out } = session;
    const [name = '', ...rest] = args;
    const program = await readProgram(session, rest);
    if (program && options.noProgram) {
      throw new UsageError('Say --program or --without-program, not both.');
    }
    const before = await engine.queues.get(name);
    const change = {
      ...toQueueSettings(options, before),
      ...(program && { program }),
      ...(options.noProgram && { program: null }),
    };
    const changed = Object.keys(change);
    if (changed.length === 0)
      throw new UsageError('Say what to change. See: batchyard queue set --help');

    const queue = await engine.queues.set(name, change, { revision: before.revision });
    out.print(queue, `Changed ${changed.join(', ')} of queue ${queue.name}.`);
    return EXIT.ok;
  },
});
