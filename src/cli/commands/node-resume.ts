import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const nodeResume = command({
  name: 'node resume',
  usage: '<node...>',
  summary: 'Let a drained or cordoned node work again.',
  completion: ['node'],

  async run({ engine, args, out }) {
    for (const name of args) {
      const node = await engine.nodes.set(name, { wish: 'work' });
      out.print(node, `${node.name} works again.`);
    }
    return EXIT.ok;
  },
});
