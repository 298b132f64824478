import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const nodeDelete = command({
  name: 'node delete',
  usage: '<node...>',
  summary: 'Forget a node that is gone; its attempts keep its name.',
  completion: ['node'],

  async run({ engine, args, out }) {
    for (const name of args) {
      await engine.nodes.delete(name);
      out.print({ node: name, deleted: true }, `Forgot node ${name}.`);
    }
    return EXIT.ok;
  },
});
