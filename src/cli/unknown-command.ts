import { findNearestName } from '../core/index.ts';
import type { Command } from './command.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

/**
 * What to say about a command line whose command does not exist; null when it does.
 * Found before parsing, because a parser would first stumble over the options behind it.
 */
export function findUnknownCommand(
  commands: readonly Command[],
  argv: readonly string[],
): string | null {
  const names = commands.map(({ name }) => name.split(' '));
  const path: string[] = [];
  for (const word of commandWords(argv)) {
    const inside = names.filter((name) => path.every((one, index) => name[index] === one));
    const choices = new Set(
      inside.map((name) => name[path.length]).filter((one) => one !== undefined),
    );
    if (choices.size === 0) return null;
    if (!choices.has(word)) return explain(path, word, choices);
    path.push(word);
  }
  return null;
}

function explain(
  path: readonly string[],
  word: string,
  choices: ReadonlySet<string>,
): string | null {
  if (path.length === 0 && word === 'help') return null;
  const nearest = findNearestName(word, choices);
  const whole = ['batchyard', ...path, nearest ?? '--help'].join(' ');
  const unknown = `Unknown command "${[...path, word].join(' ')}".`;
  return nearest === null ? `${unknown} See: ${whole}` : `${unknown} Did you mean "${whole}"?`;
}

/** The words before the first option that is not global: those that name a command, and some arguments. */
function* commandWords(argv: readonly string[]): Generator<string> {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (!word.startsWith('-')) yield word;
    else {
      const known = Object.values(GLOBAL_OPTIONS).find(({ flags }) =>
        flags.split(/[ ,]+/).includes(word),
      );
      if (!known) return;
      if (known.flags.includes('<')) index += 1;
    }
  }
}
