import { BatchError, type Engine } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { countOf } from '../numbers.ts';
import { value } from '../option.ts';
import { toChoice } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';

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
      const gone = await deleteQueue(engine, name, tasks);
      const fate =
        gone.tasks === 0
          ? ''
          : `; ${countOf(gone.tasks, 'task')} ${tasks === 'keep' ? 'kept' : 'deleted'}`;
      out.print({ queue: name, deleted: true, ...gone }, `Deleted queue ${name}${fate}.`);
    }
    return EXIT.ok;
  },
});

async function deleteQueue(engine: Engine, name: string, tasks: (typeof FATES)[number]) {
  try {
    return await engine.queues.delete(name, { tasks });
  } catch (error) {
    if (!(error instanceof BatchError) || error.code !== 'QUEUE_NOT_EMPTY') throw error;
    const count = countOf(Number(error.details.tasks), 'task');
    throw new UsageError(`Queue "${name}" holds ${count}: say --tasks delete or --tasks keep.`);
  }
}
