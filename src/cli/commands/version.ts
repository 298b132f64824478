import { localCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const version = localCommand({
  name: 'version',
  summary: 'Print the version.',

  async run({ out, version: number }) {
    out.print({ version: number }, number);
    return EXIT.ok;
  },
});
