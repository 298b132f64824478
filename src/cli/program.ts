/** Turns our commands into commander's, and a command line into a call of one. */
import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import type { Command } from './command.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { HELP_STYLE } from './help-text.ts';
import type { Options } from './option.ts';
import { findUnknownCommand } from './unknown-command.ts';
import { UsageError } from './usage-error.ts';

/** What a command line asks for. */
export interface Call {
  readonly command: Command;
  readonly args: readonly string[];
  /** Values by the name of the option, as the command's own table reads them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
}

/** A command line that is answered by help, ours to print. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

type Raw = Readonly<Record<string, readonly (string | null)[] | undefined>>;

const GROUPS: Readonly<Record<string, string>> = {
  queue: 'Create, change and look at queues.',
  task: 'Look at tasks and steer them.',
  attempt: 'Look at attempts.',
  node: 'Run a node here, or steer nodes.',
  token: 'Access tokens: who may call the server.',
  namespace: 'Namespaces: yards that do not see each other.',
  config: 'Look at the configuration.',
};

export function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
): Call | Answer {
  let call: Call | null = null;
  const written = { out: '', error: '' };
  const root = buildProgram(commands, (found) => {
    call = found;
  });
  for (const one of withDescendants(root)) {
    one.exitOverride().configureOutput({
      writeOut: (text) => {
        written.out += text;
      },
      writeErr: (text) => {
        written.error += text;
      },
    });
  }

  if (argv.length === 0) return { text: root.helpInformation(), isError: false };
  const unknown = findUnknownCommand(commands, argv);
  if (unknown !== null) throw new UsageError(unknown);
  try {
    root.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { text: written.out, isError: false };
    if (error.code === 'commander.help') {
      const isError = written.out === '';
      return { text: isError ? written.error : written.out, isError };
    }
    throw new UsageError(toSentence(error.message) + programHint(error.code, argv));
  }
  if (call === null) throw new UsageError('Name a command.');
  return call;
}

function buildProgram(commands: readonly Command[], onCall: (call: Call) => void): Commander {
  const root = new Commander('batchyard')
    .description('Distributed batch processing: queues of tasks, nodes that run them.')
    .usage('<command> [options]')
    .configureHelp({ ...HELP_STYLE, showGlobalOptions: true })
    .helpCommand('help [command]', 'Show help for a command.')
    .helpOption('-h, --help', 'Show help.');
  addOptions(root, GLOBAL_OPTIONS);

  for (const command of commands) {
    const words = command.name.split(' ');
    const parent = words.slice(0, -1).reduce(findOrAddGroup, root);
    const name = words.at(-1) ?? '';
    const existing = parent.commands.find((one) => one.name() === name);
    const leaf = existing ?? parent.command(name, { hidden: command.isHidden ?? false });
    describe(leaf, command);
    leaf.action(() => {
      onCall({
        command,
        args: leaf.args,
        options: readOptions(command.options, leaf.opts()),
        globals: readOptions(GLOBAL_OPTIONS, root.opts()),
      });
    });
  }
  return root;
}

function describe(leaf: Commander, command: Command): void {
  leaf.description(command.summary).allowExcessArguments(false);
  leaf.helpOption('-h, --help', 'Show help.').helpCommand(false);
  for (const argument of command.usage?.split(' ') ?? []) leaf.argument(argument);
  addOptions(leaf, command.options);
  if (command.examples) {
    const lines = command.examples.map((example) => `  ${example}`);
    leaf.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
}

function findOrAddGroup(parent: Commander, name: string): Commander {
  const found = parent.commands.find((one) => one.name() === name);
  if (found) return found;
  const group = parent
    .command(name)
    .description(GROUPS[name] ?? '')
    .usage('<command> [options]');
  return group.helpOption('-h, --help', 'Show help.').helpCommand(false);
}

// Commander only gathers what was given; our options read it, so that errors are ours.
function addOptions(target: Commander, options: Options): void {
  for (const { flags, summary } of Object.values(options)) {
    const option = new CommanderOption(flags, summary);
    option.argParser((text: string, before?: readonly string[]) => [...(before ?? []), text]);
    target.addOption(option);
  }
}

function readOptions(options: Options, given: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(options).map(([name, { flags, read }]) => {
    const raw = given[new CommanderOption(flags).attributeName()];
    return [name, read(toGiven(raw))] as const;
  });
  return Object.fromEntries(entries);
}

function toGiven(raw: unknown): Raw[string] & {} {
  if (raw === undefined) return [];
  return Array.isArray(raw) ? (raw as string[]) : [null];
}

function withDescendants(command: Commander): Commander[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

/** The most likely reason for an option we do not know. */
function programHint(code: string, argv: readonly string[]): string {
  if (code !== 'commander.unknownOption' || !argv.includes('--program')) return '';
  return ' If it belongs to the program, write: --program -- PROGRAM OPTIONS…';
}

/** `error: unknown option '--x'\n(Did you mean --y?)` becomes a sentence of ours. */
function toSentence(message: string): string {
  const [first = '', hint] = message.replace(/^error: /, '').split('\n');
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replaceAll("'", '"');
  const dot = sentence.endsWith('.') ? '' : '.';
  return `${sentence}${dot}${hint === undefined ? '' : ` ${hint.replace(/^\(|\)$/g, '')}`}`;
}
