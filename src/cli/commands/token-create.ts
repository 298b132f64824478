import { ROLES } from '../../core/index.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { value } from '../option.ts';
import { toChoice, toMoment, toNames } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';

export const tokenCreate = command({
  name: 'token create',
  usage: '<name>',
  summary: 'Create an access token and print its secret, this once.',
  examples: [
    'batchyard token create ci --role submitter --namespaces builds --expires 90d',
    'export BATCHYARD_TOKEN="$(batchyard token create me --role admin --quiet)"',
  ],
  options: {
    role: value('--role <role>', `What it may do: ${ROLES.join(', ')}.`, toChoice(ROLES), ROLES),
    namespaces: value('--namespaces <names>', 'Only in these namespaces (all).', toNames),
    expires: value(
      '--expires <time>',
      'Until a time, or for a duration (never ends).',
      toMoment(1),
    ),
  },

  async run({ engine, args, options, out, clock }) {
    const [name = ''] = args;
    const { role, namespaces = null, expires } = options;
    if (role === undefined) throw new UsageError(`Say what it may do: --role ${ROLES.join('|')}`);
    const expiresAt = expires?.(clock.now()) ?? null;

    const { token, secret } = await engine.tokens.create({ name, role, namespaces, expiresAt });
    out.note(`Token ${token.name} with role ${token.role}. Keep the secret: it is shown only now.`);
    out.print({ ...token, secret }, secret);
    return EXIT.ok;
  },
});
