import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { suggest } from '../core/index.ts';
import { CONFIG_FIELDS } from './config-schema.ts';
import { StartError } from './start-error.ts';

export interface FileSetting {
  readonly path: string;
  readonly value: unknown;
  /** `batchyard.yaml:3:1` */
  readonly where: string;
}

export interface ConfigFile {
  readonly settings: readonly FileSetting[];
  /** What is wrong with it, each with line and column. */
  readonly problems: readonly string[];
}

/** Reads a configuration file; `shown` is how messages name it. Throws StartError when it cannot be read. */
export function readConfigFile(file: string, shown: string): ConfigFile {
  try {
    return parseConfigText(readFileSync(file, 'utf8'), shown);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === 'ENOENT' ? 'There is no such file' : `It cannot be read (${code})`;
    throw new StartError(`Configuration ${shown}: ${why}. Name another with --config FILE.`);
  }
}

function parseConfigText(text: string, shown: string): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${shown}:${line}:${col}`;
  };

  const [fault] = document.errors;
  if (fault) return { settings: [], problems: [`${at(fault.pos[0])}: ${fault.message}.`] };
  if (document.contents === null) return { settings: [], problems: [] };
  if (!isMap(document.contents)) {
    return { settings: [], problems: [`${at(0)}: expected settings as "name: value".`] };
  }

  const settings: FileSetting[] = [];
  const problems: string[] = [];
  const walk = (map: YAMLMap, section: string): void => {
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '?';
      const path = section + name;
      const where = at((isScalar(key) ? key.range?.[0] : null) ?? 0);
      if (isSetting(path)) {
        const plain = value === null ? null : document.createNode(value).toJS(document);
        // `name:` with nothing behind it says nothing.
        if (plain !== null) settings.push({ path, value: plain, where });
      } else if (isMap(value) && keysOf(`${path}.`).length > 0) walk(value, `${path}.`);
      else problems.push(`${where}: ${explain(path, section, name)}`);
    }
  };
  walk(document.contents, '');
  return { settings, problems };
}

function explain(path: string, section: string, name: string): string {
  const inner = keysOf(`${path}.`);
  if (inner.length > 0) return `"${path}" holds settings of its own: ${inner.join(', ')}.`;
  const place = section === '' ? '' : ` in "${section.slice(0, -1)}"`;
  return `unknown key "${name}"${place}.${suggest(name, keysOf(section))}`;
}

function isSetting(path: string): boolean {
  return CONFIG_FIELDS.some((field) => field.path === path);
}

/** The keys that may stand in a section; '' is the file itself, 'node.' a section. */
function keysOf(section: string): string[] {
  const inside = CONFIG_FIELDS.filter(({ path }) => path.startsWith(section));
  return [...new Set(inside.map(({ path }) => path.slice(section.length).split('.')[0] ?? ''))];
}
