import type { Engine } from '../../core/index.ts';
import { type Command, localCommand } from '../command.ts';
import { type Candidates, completeLine } from '../completion-words.ts';
import { EXIT } from '../exit-code.ts';

type Kind = Candidates['kind'];

const LONGEST_WAIT_MS = 1_000;

/** What the shells' scripts ask. Silent about trouble: a person is in the middle of a line. */
export function complete(commands: readonly Command[]): Command {
  return localCommand({
    name: '__complete',
    usage: '[words...]',
    summary: 'Print what could come next on a command line.',
    isHidden: true,

    async run({ args, out, clock, loadConfig }) {
      const { words, kind } = completeLine(commands, args);
      for (const { word, summary } of words) out.print({ word, summary }, `${word}\t${summary}`);
      if (kind === 'file') out.print({ word: ':file', summary: '' }, ':file');
      if (kind === 'none' || kind === 'file') return EXIT.ok;

      const ask = async (): Promise<readonly string[]> => {
        const { config } = await loadConfig();
        const { connectEngine } = await import('../../client/connect-engine.ts');
        const { server: url, token, namespace } = config;
        return listNames(connectEngine({ url, token, namespace }), kind);
      };
      const nothing = clock.sleep(LONGEST_WAIT_MS).then((): readonly string[] => []);
      const names = await Promise.race([ask().catch((): readonly string[] => []), nothing]);
      for (const name of names) out.print({ word: name, summary: '' }, `${name}\t${kind}`);
      return EXIT.ok;
    },
  });
}

async function listNames(engine: Engine, kind: Kind): Promise<readonly string[]> {
  const names = (all: readonly { readonly name: string }[]): string[] =>
    all.map(({ name }) => name);
  if (kind === 'queue') return names((await engine.queues.list({ limit: 1000 })).items);
  if (kind === 'node') return names((await engine.nodes.list({ limit: 1000 })).items);
  if (kind === 'namespace') return names(await engine.namespaces.list());
  if (kind === 'token') return names(await engine.tokens.list());
  return [];
}
