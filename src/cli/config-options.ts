import { toFlagName } from '../app/config.ts';
import { CONFIG_FIELDS } from '../app/config-schema.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { longName, type Option, toggle, value } from './option.ts';
import { toText } from './option-values.ts';

type ConfigOption = Option<string | boolean | undefined>;

/**
 * Every setting as an option, by its path; its help is the schema's. Left out are those that
 * are global options, and secrets: a command line can be read by everybody on the machine.
 */
export const CONFIG_OPTIONS: Readonly<Record<string, ConfigOption>> = toOptions(() => true);

/** For commands that work on a store. */
export const STORE_OPTIONS = { store: getOption('store') };

/** The settings of a server. */
export const SERVER_OPTIONS = toOptions((path) => !path.startsWith('node.'));

/** The settings of a node. */
export const NODE_OPTIONS = toOptions((path) => path.startsWith('node.') || isShared(path));

function getOption(path: string): ConfigOption {
  const option = CONFIG_OPTIONS[path];
  if (!option) throw new Error(`There is no setting ${path}.`);
  return option;
}

function isShared(path: string): boolean {
  return path === 'log' || path === 'allowRoot' || path === 'store';
}

function toOptions(isWanted: (path: string) => boolean): Record<string, ConfigOption> {
  const taken = Object.values(GLOBAL_OPTIONS).map(({ flags }) => longName(flags));
  const fields = CONFIG_FIELDS.filter(
    ({ path, isSecret }) => isWanted(path) && !isSecret && !taken.includes(toFlagName(path)),
  );
  return Object.fromEntries(
    fields.map(({ path, summary, usual }) => {
      const name = toFlagName(path);
      if (typeof usual === 'boolean') return [path, toggle(name, summary)];
      const shown = usual === null || `${usual}` === '' ? '' : ` (${usual})`;
      const text = summary.replace(/\.$/, `${shown}.`);
      return [path, value(`${name} <${wordFor(path)}>`, text, toText)];
    }),
  );
}

function wordFor(path: string): string {
  const words: Readonly<Record<string, string>> = {
    store: 'store',
    listen: 'host:port',
    log: 'auto|json|text',
    'auth.allowedHosts': 'names',
    'node.name': 'name',
    'node.slots': 'number',
    'node.queues': 'names',
    'node.notQueues': 'names',
    'node.grace': 'duration',
  };
  return words[path] ?? 'value';
}

export function toConfigFlags(
  given: Readonly<Record<string, string | boolean | undefined>>,
): Record<string, string | undefined> {
  const entries = Object.entries(given).filter(([path]) =>
    CONFIG_FIELDS.some((field) => field.path === path),
  );
  return Object.fromEntries(
    entries.map(([path, text]) => [path, text === undefined ? undefined : String(text)]),
  );
}
