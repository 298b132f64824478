import { TASK_STATES } from '../../core/index.ts';
import { command, type EngineSession } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { countOf } from '../numbers.ts';
import { flag } from '../option.ts';
import { sumOf } from '../queue-text.ts';
import { UsageError } from '../usage-error.ts';

export const namespaceDelete = command({
  name: 'namespace delete',
  usage: '<namespace>',
  summary: 'Delete a namespace with all queues, tasks and nodes in it.',
  options: { yes: flag('-y, --yes', 'Do not ask.') },
  completion: ['namespace'],

  async run(session) {
    const { engine, args, options, out, stdin, confirm } = session;
    const [name = ''] = args;
    if (!options.yes) {
      const question = `Delete namespace ${name} with ${await contentOf(session, name)}?`;
      if (!stdin.isTTY) throw new UsageError(`${question} Say --yes if you mean it.`);
      if (!(await confirm(question))) {
        out.note('Nothing was deleted.');
        return EXIT.failed;
      }
    }
    await engine.namespaces.delete(name);
    out.print({ namespace: name, deleted: true }, `Deleted namespace ${name}.`);
    return EXIT.ok;
  },
});

async function contentOf({ engine }: Pick<EngineSession, 'engine'>, name: string): Promise<string> {
  const all = await engine.namespaces.counts();
  const inside = all.filter(({ namespace }) => namespace === name);
  const tasks = inside.reduce((sum, { counts }) => sum + sumOf(counts, TASK_STATES), 0);
  return `${countOf(inside.length, 'queue')} and ${countOf(tasks, 'task')}`;
}
