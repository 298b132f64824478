import { noCounts, TASK_STATES, type TaskCounts } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../option.ts';
import { countColumns } from '../queue-text.ts';
import type { Column } from '../table.ts';

interface CountRow {
  readonly namespace?: string;
  readonly queue: string;
  readonly counts: TaskCounts;
}

export const counts = command({
  name: 'counts',
  usage: '[queue...]',
  summary: 'Count tasks by queue and state.',
  options: { allNamespaces: flag('--all-namespaces', 'Queues of every namespace you may see.') },
  completion: ['queue'],

  async run({ engine, args, options, out }) {
    const all: readonly CountRow[] = options.allNamespaces
      ? await engine.namespaces.counts()
      : await engine.queues.counts();
    const rows = args.length === 0 ? all : all.filter(({ queue }) => args.includes(queue));
    for (const name of args) {
      // A name that is in no row is a mistake, and its own error says so best.
      if (!rows.some(({ queue }) => queue === name)) await engine.queues.get(name);
    }

    const table = out.table(columnsFor(options.allNamespaces), toJson);
    table.add(rows);
    if (rows.length > 1 && !out.isJson) table.add([totalOf(rows)]);
    table.end('There are no queues.');
    return EXIT.ok;
  },
});

function columnsFor(allNamespaces: boolean): readonly Column<CountRow>[] {
  const namespace: Column<CountRow> = { title: 'namespace', text: (row) => row.namespace ?? '' };
  const queue: Column<CountRow> = { title: 'queue', text: (row) => row.queue };
  return [...(allNamespaces ? [namespace] : []), queue, ...countColumns<CountRow>()];
}

function toJson({ namespace, queue, counts: tally }: CountRow): unknown {
  return { ...(namespace !== undefined && { namespace }), queue, counts: tally };
}

function totalOf(rows: readonly CountRow[]): CountRow {
  const total = noCounts();
  for (const row of rows) for (const state of TASK_STATES) total[state] += row.counts[state];
  return { queue: 'total', counts: total };
}
