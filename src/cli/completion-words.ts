/** What could stand at the end of an unfinished command line. */
import type { Command } from './command.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { type Completion, longName, type Option } from './option.ts';

export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** Words that are known, and the kind of those that only a server or the file system knows. */
export interface Candidates {
  readonly words: readonly Candidate[];
  readonly kind: Exclude<Completion, readonly string[]>;
}

const NOTHING: Candidates = { words: [], kind: 'none' };

/** `words` are those after the program's name; the last one is being written, and may be empty. */
export function completeLine(commands: readonly Command[], words: readonly string[]): Candidates {
  const current = words.at(-1) ?? '';
  const { command, path, args, pending } = readLine(commands, words.slice(0, -1));
  if (pending) return fromCompletion(pending.completion);
  if (current.startsWith('-')) {
    const options = [...Object.values(command?.options ?? {}), ...Object.values(GLOBAL_OPTIONS)];
    return { words: [...options.map(toCandidate), HELP], kind: 'none' };
  }
  const inside = nextWords(commands, path);
  if (inside.length > 0 && args === 0) return { words: inside, kind: 'none' };
  const kinds = command?.completion ?? [];
  return kinds.length === 0 ? NOTHING : fromCompletion(kinds[Math.min(args, kinds.length - 1)]);
}

const HELP: Candidate = { word: '--help', summary: 'Show help.' };

function fromCompletion(completion: Completion | undefined): Candidates {
  if (completion === undefined || completion === 'none') return NOTHING;
  if (typeof completion === 'string') return { words: [], kind: completion };
  return { words: completion.map((word) => ({ word, summary: '' })), kind: 'none' };
}

function toCandidate({ flags, summary }: Option<unknown>): Candidate {
  return { word: longName(flags), summary };
}

interface Line {
  readonly command: Command | null;
  readonly path: readonly string[];
  /** How many arguments stand after the command's name. */
  readonly args: number;
  /** The option whose value comes next. */
  readonly pending: Option<unknown> | null;
}

function readLine(commands: readonly Command[], words: readonly string[]): Line {
  const path: string[] = [];
  let args = 0;
  let pending: Option<unknown> | null = null;
  for (const word of words) {
    if (pending) pending = null;
    else if (word.startsWith('-')) {
      const command = findCommand(commands, path);
      const all = [...Object.values(command?.options ?? {}), ...Object.values(GLOBAL_OPTIONS)];
      const option = all.find(({ flags }) => flags.split(/[ ,]+/).includes(word));
      pending = option?.flags.includes('<') ? option : null;
    } else if (args === 0 && nextWords(commands, path).some((next) => next.word === word)) {
      path.push(word);
    } else args += 1;
  }
  return { command: findCommand(commands, path), path, args, pending };
}

function findCommand(commands: readonly Command[], path: readonly string[]): Command | null {
  return commands.find(({ name }) => name === path.join(' ')) ?? null;
}

function nextWords(commands: readonly Command[], path: readonly string[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { name, summary, isHidden } of commands) {
    const words = name.split(' ');
    const isInside = path.every((word, index) => words[index] === word);
    const word = words[path.length];
    if (isHidden || !isInside || word === undefined || found.has(word)) continue;
    found.set(word, { word, summary: words.length === path.length + 1 ? summary : '' });
  }
  return [...found.values()];
}
