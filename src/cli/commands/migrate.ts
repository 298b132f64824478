import { formatStoreAddress } from '../../app/store-address.ts';
import { localCommand } from '../command.ts';
import { STORE_OPTIONS, toConfigFlags } from '../config-options.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../option.ts';

export const migrate = localCommand({
  name: 'migrate',
  summary: 'Bring the schema of a store up to date; with --plan only say what would be done.',
  examples: ['batchyard migrate --plan --store postgres://yard@db/yard'],
  options: {
    ...STORE_OPTIONS,
    plan: flag('--plan', 'Change nothing; print the statements.'),
  },

  async run({ options, out, loadConfig, clock, random }) {
    const { plan: isPlan, ...given } = options;
    const { config } = await loadConfig(toConfigFlags(given));
    const { migrateStore } = await import('../../app/migrate-store.ts');
    const { from, to, steps } = await migrateStore(config.store, { clock, random, isPlan });
    const store = formatStoreAddress(config.store);
    const versions = from === null || from === to ? '' : ` from version ${from} to ${to}`;
    const done = isPlan
      ? `${store} would be brought up to date${versions}:`
      : `${store} was brought up to date${versions}.`;
    const text = steps.length === 0 ? `${store} is up to date.` : done;
    out.print({ store, from, to, steps, done: !isPlan }, isPlan ? [text, ...steps] : text);
    return EXIT.ok;
  },
});
