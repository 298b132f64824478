import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
import { invalid } from '../core/index.ts';
import { hasPlaceholder } from './runners/program-arguments.ts';

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'fish', 'csh', 'tcsh'];

/**
 * Where a queue's program lies, checked the way it will be started: a name is looked for
 * in `path`, a path is taken from `cwd`. Throws INVALID_REQUEST when the folder or the program
 * is missing or cannot be run, or when a shell would read params as its script.
 */
export async function resolveProgram(
  argv: readonly string[],
  cwd: string | null,
  path: string,
): Promise<string> {
  const [command = ''] = argv;
  if (command === '') throw invalid('program.argv', 'no program is named', 'Put its path first');
  checkNoScriptFromParams(argv);
  if (cwd !== null && !(await isFolder(cwd))) {
    throw invalid('program.cwd', `there is no folder "${cwd}" on this machine`, 'Name one');
  }
  const places = command.includes('/')
    ? [isAbsolute(command) ? command : resolve(cwd ?? '.', command)]
    : path.split(delimiter).map((folder) => join(resolve(cwd ?? '.', folder), command));
  let found: string | null = null;
  for (const place of places) {
    if (!(await isFile(place))) continue;
    if (await isExecutable(place)) return place;
    found ??= place;
  }
  if (found !== null) {
    throw invalid('program.argv[0]', `"${found}" may not be executed`, `Try chmod +x "${found}"`);
  }
  throw invalid(
    'program.argv[0]',
    command.includes('/') ? `there is no file "${places[0]}"` : `"${command}" is not in PATH`,
    'Give the full path of a program on the node',
  );
}

function checkNoScriptFromParams(argv: readonly string[]): void {
  if (!SHELLS.includes(basename(argv[0] ?? ''))) return;
  const option = argv.findIndex((item, index) => index > 0 && /^-[a-z]*c[a-z]*$/i.test(item));
  if (option === -1 || !hasPlaceholder(argv[option + 1] ?? '')) return;
  throw invalid(
    `program.argv[${option + 1}]`,
    'the shell would run what params hold',
    'Hand them over as arguments: ["sh", "-c", "echo \\"$1\\"", "--", "{item}"]',
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
