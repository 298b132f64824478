import type { Namespace } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime } from '../times.ts';

export const namespaceList = command({
  name: 'namespace list',
  summary: 'List namespaces.',

  async run({ engine, out, clock }) {
    const now = clock.now();
    const table = out.table<Namespace>([
      { title: 'namespace', text: ({ name }) => name },
      { title: 'created', text: ({ createdAt }) => formatTime(createdAt, now) },
    ]);
    table.add(await engine.namespaces.list());
    table.end('There are no namespaces yet: each comes with its first queue.');
    return EXIT.ok;
  },
});
