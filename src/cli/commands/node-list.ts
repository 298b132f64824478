import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { listPages } from '../list-pages.ts';
import { nodeColumns } from '../node-text.ts';
import { flag } from '../option.ts';

export const nodeList = command({
  name: 'node list',
  summary: 'List nodes.',
  options: { all: flag('--all', 'Also those that are gone or dead.') },

  async run({ engine, options, out, clock }) {
    const table = out.table(nodeColumns(clock.now()));
    const only = options.all ? {} : { live: true };
    for await (const nodes of listPages((page) => engine.nodes.list({ ...page, ...only }))) {
      table.add(nodes);
    }
    table.end('No node is live. Start one with: batchyard node');
    return EXIT.ok;
  },
});
