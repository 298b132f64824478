// Batchyard as a user embeds it, on the store that the place names, at that store's full durability.
import { openBatchyard } from '../../dist/sdk/index.js';

export async function open({ url }) {
  let onTask = () => {};
  const bench = { name: 'bench', run: (params) => onTask(params) };
  const yard = await openBatchyard({ store: url, handlers: [bench], start: false });
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
