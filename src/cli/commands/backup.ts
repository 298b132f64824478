import { resolve } from 'node:path';
import { formatSize } from '../../app/size.ts';
import { formatStoreAddress } from '../../app/store-address.ts';
import { openRun } from '../archive-text.ts';
import { serviceCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { countOf } from '../numbers.ts';
import { flag, value } from '../option.ts';
import { toText } from '../option-values.ts';

export const backup = serviceCommand({
  name: 'backup',
  usage: '<file>',
  summary: 'Write all data of a store to a file, while its server runs or not.',
  examples: [
    'batchyard backup yard.ndjson.gz',
    'batchyard backup --store sqlite:/data/yard.db /backups/yard.db',
  ],
  options: {
    store: value('--store <store>', 'The store to back up (the configured one).', toText),
    force: flag('--force', 'Replace the file if it is there.'),
  },
  completion: ['file'],

  async run(session) {
    const { args, options, out, cwd, loadConfig } = session;
    const { config } = await loadConfig({ store: options.store });
    const file = resolve(cwd, args[0] ?? '');
    const run = openRun(session);
    const { backUpStore } = await import('../../app/backup-store.ts');
    const answer = await backUpStore({ store: config.store, file, replaces: options.force }, run);
    if (answer === null) {
      out.note('Stopped. No backup was written.');
      return EXIT.interrupted;
    }
    const { bytes, queues } = answer;
    const store = formatStoreAddress(config.store);
    const tasks = queues?.reduce((sum, queue) => sum + queue.tasks, 0) ?? null;
    const held = tasks === null ? '' : ` with ${countOf(tasks, 'task')}`;
    out.print({ store, file, bytes, tasks, elapsedMs: run.elapsedMs(), queues }, [
      `Backed up ${store}${held} to ${file}, ${formatSize(bytes)} in ${run.elapsed()}.`,
    ]);
    return EXIT.ok;
  },
});
