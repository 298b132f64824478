import { suggest } from '../core/index.ts';
import { CONFIG_FIELDS } from './config-schema.ts';

/** What nodes hand to programs; a program may call us. */
const OF_TASKS = ['QUEUE', 'TASK', 'FENCE', 'ATTEMPT', 'ROUND', 'NODE', 'KEY'];

/** Variables that look like settings of ours and are none: most likely misspelt. */
export function findUnknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const settings = CONFIG_FIELDS.map((field) => field.environment);
  const known = [...settings, 'BATCHYARD_CONFIG', ...OF_TASKS.map((name) => `BATCHYARD_${name}`)];
  return Object.keys(environment)
    .filter((name) => name.startsWith('BATCHYARD_') && !known.includes(name))
    .map((name) => `The environment has ${name}, which means nothing.${suggest(name, known)}`);
}
