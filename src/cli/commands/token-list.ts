import type { AccessToken } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { formatAgo, formatTime } from '../times.ts';

export const tokenList = command({
  name: 'token list',
  summary: 'List access tokens; their secrets are not kept.',

  async run({ engine, out, clock }) {
    const now = clock.now();
    const table = out.table<AccessToken>([
      { title: 'token', text: ({ name }) => name },
      { title: 'role', text: ({ role }) => role },
      { title: 'namespaces', text: ({ namespaces }) => namespaces?.join(', ') ?? 'all' },
      { title: 'created', text: ({ createdAt }) => formatAgo(createdAt, now), align: 'right' },
      {
        title: 'expires',
        text: ({ expiresAt }) => (expiresAt === null ? 'never' : formatTime(expiresAt, now)),
      },
    ]);
    table.add(await engine.tokens.list());
    table.end('There are no access tokens.');
    return EXIT.ok;
  },
});
