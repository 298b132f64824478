import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const nodeDrain = command({
  name: 'node drain',
  usage: '<node...>',
  summary: 'Let a node finish what it runs and take no more.',
  completion: ['node'],

  async run({ engine, args, out }) {
    for (const name of args) {
      const node = await engine.nodes.set(name, { wish: 'drain' });
      out.print(
        node,
        `${node.name} finishes what it runs (${node.runningCount} now) and takes no more.`,
      );
    }
    return EXIT.ok;
  },
});
