// Batchyard as a user embeds it: SQLite file, synchronous=FULL.
import { openBatchyard } from '../../dist/sdk/index.js';

export const title = 'Batchyard, SQLite FULL';

export async function open(file) {
  let onTask = () => {};
  const bench = { name: 'bench', run: (params) => onTask(params) };
  const yard = await openBatchyard({ store: `sqlite:${file}`, handlers: [bench], start: false });
  const { tasks, queues } = yard.engine;
  return {
    submit: (params) => tasks.submit('bench', [{ params }]),
    submitMany: (list) =>
      tasks.submit(
        'bench',
        list.map((params) => ({ params })),
      ),
    counts: () => queues.countsOf('bench'),
    async work(options) {
      onTask = options.onTask;
      await yard.start({ slots: options.concurrency });
    },
    drained: () => tasks.wait({ filter: { queues: ['bench'] }, timeoutMs: 60_000 }),
    stop: () => yard.stop(),
  };
}
