import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const tokenRevoke = command({
  name: 'token revoke',
  usage: '<name...>',
  summary: 'Take access tokens back; they are refused at once.',
  completion: ['token'],

  async run({ engine, args, out }) {
    for (const name of args) {
      await engine.tokens.revoke(name);
      out.print({ token: name, revoked: true }, `Revoked token ${name}.`);
    }
    return EXIT.ok;
  },
});
