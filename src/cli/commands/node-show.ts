import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { layOutFields } from '../fields.ts';
import { nodeFields } from '../node-text.ts';
import { layOutTable } from '../table.ts';
import { taskColumns } from '../task-text.ts';
import { toPlainLine } from '../terminal-text.ts';

const MOST_TASKS = 50;

export const nodeShow = command({
  name: 'node show',
  usage: '<node...>',
  summary: 'Show a node and what it runs.',
  completion: ['node'],

  async run({ engine, args, out, clock }) {
    const now = clock.now();
    for (const [index, name] of args.entries()) {
      const node = await engine.nodes.get(name);
      const { items: tasks } = await engine.tasks.list(
        { node: name, states: ['claimed', 'running'] },
        { limit: MOST_TASKS },
      );
      const table = layOutTable(taskColumns(now), null, out.paint);
      const rows = table.lines(tasks);
      out.print({ ...node, tasks }, [
        ...(index === 0 ? [] : ['']),
        out.paint('bold', toPlainLine(node.name)),
        ...layOutFields(out.paint, nodeFields(node, now)),
        '',
        out.paint('bold', 'Tasks'),
        ...(tasks.length === 0 ? ['  none'] : [table.head(), ...rows].map((line) => `  ${line}`)),
      ]);
    }
    return EXIT.ok;
  },
});
