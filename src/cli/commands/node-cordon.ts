import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const nodeCordon = command({
  name: 'node cordon',
  usage: '<node...>',
  summary: 'Keep a node from taking tasks for a while; it stays.',
  completion: ['node'],

  async run({ engine, args, out }) {
    for (const name of args) {
      const node = await engine.nodes.set(name, { wish: 'cordon' });
      out.print(node, `${node.name} takes no tasks until it is resumed.`);
    }
    return EXIT.ok;
  },
});
