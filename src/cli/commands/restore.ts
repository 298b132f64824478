import { resolve } from 'node:path';
import { formatStoreAddress } from '../../app/store-address.ts';
import { openRun, printComparisons, reportRefused } from '../archive-text.ts';
import { serviceCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { countOf } from '../numbers.ts';
import { flag, value } from '../option.ts';
import { toText } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';

export const restore = serviceCommand({
  name: 'restore',
  usage: '<file>',
  summary: 'Put a backup into a store that is empty, or (--merge) add what it lacks.',
  examples: ['batchyard restore yard.ndjson.gz --store sqlite:/data/yard.db'],
  options: {
    store: value('--store <store>', 'The store to restore into.', toText),
    merge: flag('--merge', 'Add to what the store holds; what is there is left as it is.'),
  },
  completion: ['file'],

  async run(session) {
    const { args, options, out, cwd, loadConfig } = session;
    if (options.store === undefined) {
      throw new UsageError('--store is missing: name the store to restore into.');
    }
    const { config } = await loadConfig({ store: options.store });
    const file = resolve(cwd, args[0] ?? '');
    const run = openRun(session);
    const { restoreStore } = await import('../../app/restore-store.ts');
    const answer = await restoreStore({ file, store: config.store, merge: options.merge }, run);
    if (answer === null) {
      out.note('Stopped. Run the same command with --merge to go on.');
      return EXIT.interrupted;
    }
    const { put, there, refused, queues } = answer;
    const store = formatStoreAddress(config.store);
    const isWhole = queues.every(({ isSame, wasThere }) => isSame || wasThere);
    if (out.isJson) {
      out.print(
        { file, store, put, there, refused, isWhole, elapsedMs: run.elapsedMs(), queues },
        '',
      );
    } else {
      printComparisons(out, queues);
      const before = there === 0 ? '' : `, ${countOf(there, 'task')} there before`;
      out.note(`Restored ${countOf(put, 'task')} into ${store}${before}, in ${run.elapsed()}.`);
    }
    if (!isWhole) {
      const problem = 'The store differs from the backup: something else wrote to it meanwhile.';
      out.problem(problem, { error: { code: 'DIFFERS', message: problem } });
    }
    return reportRefused(out, refused) && isWhole ? EXIT.ok : EXIT.failed;
  },
});
