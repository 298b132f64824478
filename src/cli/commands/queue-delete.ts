import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { countOf } from '../numbers.ts';
import { value } from '../option.ts';
import { toChoice } from '../option-values.ts';

const FATES = ['refuse', 'delete', 'keep'] as const;

export const queueDelete = command({
  name: 'queue delete',
  usage: '<queue...>',
  summary: 'Delete a queue.',
  examples: ['batchyard queue delete thumbs --tasks delete'],
  options: {
    tasks: value(
      '--tasks <what>',
      'What becomes of its tasks: delete them, keep them readable, or refuse while there are any.',
      toChoice(FATES),
      FATES,
    ),
  },
  completion: ['queue'],

  async run({ engine, args, options, out }) {
    const { tasks = 'refuse' } = options;
    for (const name of args) {
      const gone = await engine.queues.delete(name, { tasks });
      const fate =
        gone.tasks === 0
          ? ''
          : `; ${countOf(gone.tasks, 'task')} ${tasks === 'keep' ? 'kept' : 'deleted'}`;
      out.print({ queue: name, deleted: true, ...gone }, `Deleted queue ${name}${fate}.`);
    }
    return EXIT.ok;
  },
});
