import { invalid, type Json, keyText } from '../../core/index.ts';
import type { HeldTask } from '../held-task.ts';

const PLACEHOLDER = /\{(item|key|id|queue|namespace|fence|attempt|params(?:\.[^.{}]+)*)\}/g;

export function hasPlaceholder(item: string): boolean {
  return item.search(PLACEHOLDER) !== -1;
}

/**
 * Fills the placeholders inside the items of a program's argv; no item is split or joined,
 * and no shell sees them.
 *
 * `{item}` is the params themselves or, when they are an object, their `item`;
 * `{params.a.b}` is what lies at that path; `{key}`, `{id}`, `{queue}`, `{namespace}`,
 * `{fence}` and `{attempt}` are the task's. Objects and lists are written as JSON. Braces
 * around anything else stay as they are.
 *
 * Refused, with the item named: a value that is not there, one with a NUL, and one that the
 * program would take for an option, since it begins with `-` and nothing stands before it.
 * A `--` earlier in argv, or text before the placeholder (`--name={item}`), allows it.
 */
export function fillArguments(argv: readonly string[], task: HeldTask): string[] {
  const optionsEnd = argv.indexOf('--');
  return argv.map((template, index) => {
    const field = `program.argv[${index}]`;
    const item = template.replace(PLACEHOLDER, (whole, name: string) =>
      toText(field, whole, findValue(name, task)),
    );
    if (item.includes('\0')) {
      throw invalid(field, 'what fills it holds a NUL', 'No argument can carry one');
    }
    const isGuarded = (optionsEnd !== -1 && optionsEnd < index) || !beginsFilled(template);
    if (item.startsWith('-') && !isGuarded) {
      throw invalid(
        field,
        `what fills it begins with "-", so the program would take it for an option`,
        `Put "--" before "${template}" in the queue's program, or text in front as in "--name=${template}"`,
      );
    }
    return item;
  });
}

function beginsFilled(template: string): boolean {
  return template.search(PLACEHOLDER) === 0;
}

function findValue(name: string, { claim, queue }: HeldTask): Json | undefined {
  switch (name) {
    case 'item':
      return isObject(claim.params) ? findAt(claim.params, ['item']) : claim.params;
    case 'key':
      return claim.key === null ? undefined : keyText(claim.key);
    case 'id':
      return claim.taskId;
    case 'queue':
      return claim.queue;
    case 'namespace':
      return queue.namespace;
    case 'fence':
      return claim.fence;
    case 'attempt':
      return claim.tryCount + 1;
    default:
      return findAt(claim.params, name.split('.').slice(1));
  }
}

function findAt(value: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, Json>>)[name];
  }
  return at;
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(field: string, placeholder: string, value: Json | undefined): string {
  if (value === undefined || value === null) {
    throw invalid(field, `the task has nothing for ${placeholder}`, 'Submit it with that value');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
