import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CONFIG_FIELDS, type ConfigField, ConfigSchema, type Settings } from './config-schema.ts';
import { formatListenAddress, toUrl } from './listen-address.ts';
import { StartError } from './start-error.ts';
import { formatStoreAddress, resolveStoreAddress } from './store-address.ts';

/** What the programs run with. Frozen; relative paths are resolved. */
export interface Config extends Omit<Settings, 'node' | 'token' | 'auth'> {
  readonly token: string | null;
  readonly auth: { readonly adminToken: string | null; readonly allowedHosts: readonly string[] };
  readonly node: Omit<Settings['node'], 'grace' | 'name'> & {
    /** null: the machine's. */
    readonly name: string | null;
    readonly graceMs: number;
  };
}

export interface ConfigSources {
  /** By path of the setting: what the command line says. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file named by --config; null: BATCHYARD_CONFIG's, or batchyard.yaml if it is there. */
  readonly file: string | null;
  readonly cwd: string;
}

export interface EffectiveSetting {
  readonly path: string;
  /** As a person would write it; secrets are masked. */
  readonly value: string;
  /** `--listen`, `BATCHYARD_LISTEN`, `batchyard.yaml:3:1` or `default`. */
  readonly origin: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly effective: readonly EffectiveSetting[];
  /** The file that was read, or null. */
  readonly file: string | null;
}

/** A flag whose value is wrong: the command line is at fault, not the set-up. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

interface Said {
  readonly value: unknown;
  readonly origin: string;
  readonly isFlag: boolean;
  /** What relative paths in it start from. */
  readonly folder: string;
}

const USUAL_FILE = 'batchyard.yaml';
const MASK = '********';

/** Flag, then environment, then file, then default. Throws FlagError or StartError with every problem. */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const { environment, flags, cwd } = sources;
  const { file, said, problems } = await readFile(sources);
  for (const { path, environment: name } of CONFIG_FIELDS) {
    const value = environment[name];
    if (value) said.set(path, { value, origin: name, isFlag: false, folder: cwd });
  }
  for (const [path, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    said.set(path, { value, origin: toFlagName(path), isFlag: true, folder: cwd });
  }

  const parsed = ConfigSchema.safeParse(nest(said));
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const source = said.get(path.join('.'));
      const problem = `${source?.origin ?? path.join('.')}: ${message}.`;
      if (source?.isFlag) throw new FlagError(problem);
      problems.push(problem);
    }
  }
  if (!parsed.success || problems.length > 0) throw new StartError(problems.join('\n'));

  const config = freeze(toConfig(parsed.data, said, cwd));
  const effective = CONFIG_FIELDS.map((field) => toEffective(field, config, said));
  return { config, effective, file };
}

interface FileSaid {
  readonly file: string | null;
  readonly said: Map<string, Said>;
  readonly problems: string[];
}

async function readFile({ environment, file: named, cwd }: ConfigSources): Promise<FileSaid> {
  const said = new Map<string, Said>();
  const shown = named ?? environment.BATCHYARD_CONFIG ?? USUAL_FILE;
  const file = resolve(cwd, shown);
  if (shown === USUAL_FILE && named === null && !existsSync(file)) {
    return { file: null, said, problems: [] };
  }
  // Most commands find no file and need no reader of YAML.
  const { readConfigFile } = await import('./config-file.ts');
  const { settings, problems } = readConfigFile(file, shown);
  for (const { path, value, where } of settings) {
    said.set(path, { value, origin: where, isFlag: false, folder: dirname(file) });
  }
  return { file, said, problems: [...problems] };
}

function nest(said: ReadonlyMap<string, Said>): Record<string, unknown> {
  const nested: Record<string, Record<string, unknown> | unknown> = {};
  for (const [path, { value }] of said) {
    const [section = '', key] = path.split('.');
    if (key === undefined) nested[section] = value;
    else nested[section] = { ...(nested[section] as object | undefined), [key]: value };
  }
  return nested;
}

function toConfig(settings: Settings, said: ReadonlyMap<string, Said>, cwd: string): Config {
  const folderOf = (path: string): string => said.get(path)?.folder ?? cwd;
  const { grace, name, ...node } = settings.node;
  return {
    ...settings,
    // A folder with its own `listen` is also where its commands look for the server.
    server: said.has('listen') && !said.has('server') ? toUrl(settings.listen) : settings.server,
    store: resolveStoreAddress(settings.store, folderOf('store')),
    token: settings.token ?? null,
    auth: {
      adminToken: settings.auth.adminToken ?? null,
      allowedHosts: settings.auth.allowedHosts,
    },
    node: {
      ...node,
      name: name ?? null,
      graceMs: grace,
    },
  };
}

function toEffective(
  { path, usual, isSecret }: ConfigField,
  config: Config,
  said: ReadonlyMap<string, Said>,
): EffectiveSetting {
  const value = said.get(path)?.value ?? usual;
  const isDerived = path === 'server' && said.has('listen') && !said.has('server');
  const origin = isDerived ? `listen, ${said.get('listen')?.origin}` : said.get(path)?.origin;
  return {
    path,
    value: isSecret && value !== null ? MASK : show(path, value, config),
    origin: origin ?? 'default',
  };
}

function show(path: string, value: unknown, config: Config): string {
  if (path === 'store') return formatStoreAddress(config.store);
  if (path === 'listen') return formatListenAddress(config.listen);
  if (path === 'server') return config.server;
  if (Array.isArray(value)) return value.join(',') || '-';
  return value === null ? '-' : String(value);
}

/** `node.slots` is said as --slots, `auth.adminToken` as --admin-token. */
export function toFlagName(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}
