import { noCounts } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { listPages } from '../list-pages.ts';
import { QUEUE_COLUMNS } from '../queue-text.ts';

export const queueList = command({
  name: 'queue list',
  summary: 'List queues with their counts.',

  async run({ engine, out }) {
    const all = await engine.queues.counts();
    const counts = new Map(all.map((one) => [one.queue, one.counts]));
    const table = out.table(QUEUE_COLUMNS);
    for await (const queues of listPages((page) => engine.queues.list(page))) {
      table.add(
        queues.map((queue) => ({ ...queue, counts: counts.get(queue.name) ?? noCounts() })),
      );
    }
    table.end(
      'There are no queues yet. Make one: batchyard queue create hello --program echo {item}',
    );
    return EXIT.ok;
  },
});
