import {
  formatStoreAddress,
  parseStoreAddress,
  resolveStoreAddress,
  type StoreAddress,
} from '../../app/store-address.ts';
import { openRun, printComparisons, reportRefused } from '../archive-text.ts';
import { serviceCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { countOf } from '../numbers.ts';
import { flag, value } from '../option.ts';
import { UsageError } from '../usage-error.ts';

export const copy = serviceCommand({
  name: 'copy',
  summary:
    'Copy all data from one store to another, or only --namespace ones; begun again, it goes on.',
  examples: [
    'batchyard copy --from sqlite:batchyard.db --to sqlite:/data/yard.db',
    'batchyard copy --to postgres://yard@db/yard --drain',
  ],
  options: {
    from: value('--from <store>', 'The store to copy (the configured one).', toAddress),
    to: value('--to <store>', 'The store to copy into.', toAddress),
    drain: flag(
      '--drain',
      'Pause the queues and wait for running tasks first; go on with them afterwards.',
    ),
  },

  async run(session) {
    const { options, out, cwd, loadConfig, namespaces } = session;
    if (options.to === undefined)
      throw new UsageError('--to is missing: name the store to copy into.');
    const from = options.from
      ? resolveStoreAddress(options.from, cwd)
      : (await loadConfig()).config.store;
    const to = resolveStoreAddress(options.to, cwd);
    const wanted = namespaces.length === 0 ? null : namespaces;
    const run = openRun(session);
    const { copyStore } = await import('../../app/copy-store.ts');
    const answer = await copyStore({ from, to, namespaces: wanted, drain: options.drain }, run);
    if (answer.status === 'live') {
      const live = countOf(answer.live, 'task');
      throw new UsageError(
        `${live} in ${formatStoreAddress(from)} ${answer.live === 1 ? 'is' : 'are'} claimed or running: say --drain to pause the queues and wait.`,
      );
    }
    if (answer.status === 'stopped') {
      out.note('Stopped. Run the same command again to go on.');
      return EXIT.interrupted;
    }
    const queues = answer.queues.map((one) => ({ ...one, wasThere: false }));
    const isSame = queues.every((one) => one.isSame);
    const { put, there, refused } = answer;
    const stores = { from: formatStoreAddress(from), to: formatStoreAddress(to) };
    if (out.isJson) {
      out.print(
        {
          ...stores,
          put,
          there,
          refused,
          isSame,
          elapsedMs: run.elapsedMs(),
          queues: answer.queues,
        },
        '',
      );
    } else {
      printComparisons(out, queues);
      const before = there === 0 ? '' : `, ${countOf(there, 'task')} there before`;
      out.note(`Copied ${countOf(put, 'task')} to ${stores.to}${before}, in ${run.elapsed()}.`);
    }
    const isWhole = reportRefused(out, refused);
    if (isSame && isWhole) return EXIT.ok;
    if (!isSame) {
      const problem =
        'The two stores differ: one of them was changed meanwhile. Run the same command again.';
      out.problem(problem, { error: { code: 'DIFFERS', message: problem } });
    }
    return EXIT.failed;
  },
});

function toAddress(text: string): StoreAddress {
  const address = parseStoreAddress(text);
  if (typeof address === 'string') throw new UsageError(`${address}.`);
  return address;
}
