import { QUEUE_DEFAULTS } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../option.ts';
import { QUEUE_OPTIONS, toQueueSettings } from '../queue-options.ts';
import { readProgram } from '../queue-program.ts';
import { runnerText } from '../queue-text.ts';

export const queueCreate = command({
  name: 'queue create',
  usage: '<queue> [argv...]',
  summary: 'Create a queue, and say what runs its tasks.',
  examples: [
    'batchyard queue create thumbs --program ./thumb.sh {item}',
    'batchyard queue create video --max-running 2 --program -- ffmpeg -i {item} {item}.webm',
    'batchyard queue create mail --handler send-mail --limit perHost=host:100/1m',
  ],
  options: {
    ...QUEUE_OPTIONS,
    replace: flag('--replace', 'If it exists, set it anew; its tasks stay.'),
  },

  async run(session) {
    const { engine, args, options, out } = session;
    const [name = '', ...rest] = args;
    const program = await readProgram(session, rest);
    const settings = {
      ...toQueueSettings(options, QUEUE_DEFAULTS),
      ...(program && { program }),
    };

    const queue = options.replace
      ? await engine.queues.define(name, settings)
      : await engine.queues.create(name, settings);
    const runner = queue.program || queue.handler ? `, which runs ${runnerText(queue)}` : '';
    out.print(queue, `${options.replace ? 'Set' : 'Created'} queue ${queue.name}${runner}.`);
    return EXIT.ok;
  },
});
