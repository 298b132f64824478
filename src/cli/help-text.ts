import type { Command as Commander, Help, Option } from 'commander';

const EXIT_CODES =
  'Exit codes: 0 ok, 1 something failed, 2 wrong usage, 3 no server or no start, 4 timed out, 130 interrupted.';

/** Help as we like it: what can be done comes first, the options that every command takes come last. */
export const HELP_STYLE: Partial<Help> = {
  subcommandTerm: (command) => command.name(),
  formatHelp,
};

function formatHelp(command: Commander, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const termWidth = helper.padWidth(command, helper);
  const list = (heading: string, items: readonly (readonly [string, string])[]): string[] =>
    helper.formatItemList(
      heading,
      items.map(([term, text]) => helper.formatItem(term, termWidth, text, helper)),
      helper,
    );
  const options = (heading: string, all: readonly Option[]): string[] =>
    list(
      heading,
      all.map((option) => [helper.optionTerm(option), option.description]),
    );

  const subcommands = helper.visibleCommands(command);
  const own = helper.visibleOptions(command).filter(({ long }) => long !== '--help');
  const isRoot = command.parent === null;
  return [
    `Usage: ${helper.commandUsage(command)}`,
    '',
    helper.boxWrap(helper.commandDescription(command), width),
    '',
    ...list(
      'Commands:',
      subcommands.map((sub) => [helper.subcommandTerm(sub), describe(sub)]),
    ),
    ...options(isRoot ? 'Options of every command:' : 'Options:', own),
    ...options('Options of every command:', helper.visibleGlobalOptions(command)),
    ...(isRoot ? [helper.boxWrap(EXIT_CODES, width), ''] : []),
  ].join('\n');
}

/** A group also names what is in it. */
function describe(command: Commander): string {
  const inside = command.commands.map((sub) => sub.name());
  if (inside.length === 0) return command.description();
  return `${command.description()} (${inside.join(', ')})`;
}
