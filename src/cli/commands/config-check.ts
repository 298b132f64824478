import type { EffectiveSetting } from '../../app/config.ts';
import { CONFIG_FIELDS } from '../../app/config-schema.ts';
import { findUnknownVariables } from '../../app/unknown-variables.ts';
import { localCommand } from '../command.ts';
import { CONFIG_OPTIONS, toConfigFlags } from '../config-options.ts';
import { EXIT } from '../exit-code.ts';

export const configCheck = localCommand({
  name: 'config check',
  summary: 'Check the configuration; print each value and where it comes from.',
  options: CONFIG_OPTIONS,

  async run({ options, out, loadConfig, environment }) {
    const { effective, file } = await loadConfig(toConfigFlags(options));
    out.note(file === null ? 'No configuration file.' : `Read ${file}.`);
    for (const problem of findUnknownVariables(environment)) out.note(problem);

    const summaries = new Map(CONFIG_FIELDS.map(({ path, summary }) => [path, summary]));
    const table = out.table<EffectiveSetting>([
      { title: 'setting', text: ({ path }) => path },
      { title: 'value', text: ({ value }) => value },
      {
        title: 'from',
        text: ({ origin }) => origin,
        style: ({ origin }) => (origin === 'default' ? 'dim' : null),
      },
      { title: 'meaning', text: ({ path }) => summaries.get(path) ?? '', isLong: true },
    ]);
    table.add(effective);
    return EXIT.ok;
  },
});
