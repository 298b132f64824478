import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { listPages } from '../list-pages.ts';
import { flag, value } from '../option.ts';
import { toChoice, toCount } from '../option-values.ts';
import { SELECTION_OPTIONS, toSelection } from '../task-selection.ts';
import { taskColumns } from '../task-text.ts';

const USUAL_LIMIT = 50;
const SORTS = ['id', 'key'] as const;

export const taskList = command({
  name: 'task list',
  summary: 'List tasks, newest first.',
  examples: [
    'batchyard task list --queue thumbs --state failed',
    'batchyard task list --label batch=night --all --json | jq .params',
  ],
  options: {
    ...SELECTION_OPTIONS,
    limit: value('--limit <number>', `At most this many (${USUAL_LIMIT}).`, toCount),
    all: flag('--all', 'As many as there are.'),
    sort: value('--sort <field>', 'By id (age) or key.', toChoice(SORTS), SORTS),
    oldest: flag('--oldest', 'Oldest first; with --sort key, lowest key first.'),
  },

  async run({ engine, options, out, clock }) {
    const now = clock.now();
    const filter = toSelection(options, now);
    const order = {
      ...(options.sort && { sort: options.sort }),
      ...(options.oldest && { direction: 'asc' as const }),
    };
    const limit = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? USUAL_LIMIT);

    const table = out.table(taskColumns(now));
    let count = 0;
    const pages = listPages((page) => engine.tasks.list(filter, { ...page, ...order }), limit);
    for await (const tasks of pages) {
      table.add(tasks);
      count += tasks.length;
    }
    table.end('No task matches.');
    if (count === limit && options.limit === undefined && out.isTerminal) {
      out.note(`The newest ${limit} are shown; --all or --limit shows more.`);
    }
    return EXIT.ok;
  },
});
