import type { Attempt } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { listPages } from '../list-pages.ts';
import { flag, value } from '../option.ts';
import { toCount, toText } from '../option-values.ts';
import type { Column } from '../table.ts';
import { attemptColumns } from '../task-text.ts';
import { UsageError } from '../usage-error.ts';

const USUAL_LIMIT = 50;

export const attemptList = command({
  name: 'attempt list',
  usage: '[task-id...]',
  summary: 'List the attempts of tasks, or of a node.',
  options: {
    node: value('--node <name>', 'The attempts of this node, newest first.', toText, 'node'),
    live: flag('--live', 'With --node: those that run now.'),
    limit: value('--limit <number>', `With --node: at most this many (${USUAL_LIMIT}).`, toCount),
  },

  async run({ engine, args, options, out, clock }) {
    const { node, live, limit = USUAL_LIMIT } = options;
    if ((node === undefined) === (args.length === 0)) {
      throw new UsageError('Name tasks by id, or a node with --node.');
    }
    const columns = attemptColumns(clock.now());
    const isOne = args.length === 1;
    const table = out.table(isOne ? columns : [...TASK_COLUMNS, ...columns]);
    if (node === undefined) for (const id of args) table.add(await engine.attempts.list(id));
    else {
      const list = listPages((page) => engine.attempts.listByNode(node, { ...page, live }), limit);
      for await (const attempts of list) table.add(attempts);
    }
    table.end('No attempts.');
    return EXIT.ok;
  },
});

const TASK_COLUMNS: readonly Column<Attempt>[] = [
  { title: 'task', text: ({ taskId }) => taskId },
  { title: 'queue', text: ({ queue }) => queue },
];
