import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { orNone, toCount } from '../option-values.ts';

export const nodeLimit = command({
  name: 'node limit',
  usage: '<node> <number|none>',
  summary: 'Limit how many tasks a node runs over all queues.',
  examples: ['batchyard node limit worker-3 2', 'batchyard node limit worker-3 none'],
  completion: ['node', ['none']],

  async run({ engine, args, out }) {
    const [name = '', limit = ''] = args;
    const node = await engine.nodes.set(name, { maxRunning: orNone(toCount)(limit) });
    const text =
      node.maxRunning === null ? 'has no limit' : `runs at most ${node.maxRunning} tasks`;
    out.print(node, `${node.name} ${text}.`);
    return EXIT.ok;
  },
});
