import { isLoopbackUrl } from '../app/listen-address.ts';
import { toProgram } from '../app/queue-program.ts';
import { BatchError, type Program } from '../core/index.ts';
import type { EngineSession } from './command.ts';
import type { QUEUE_OPTIONS } from './queue-options.ts';
import { UsageError } from './usage-error.ts';

/** The program the command line asks for; undefined when it says none. `rest` are the words after `--`. */
export async function readProgram(
  session: EngineSession<typeof QUEUE_OPTIONS>,
  rest: readonly string[],
): Promise<Program | undefined> {
  const { options, cwd, environment, loadConfig } = session;
  if (options.program === undefined) {
    if (rest.length > 0) throw new UsageError(`Too many arguments: ${rest.join(' ')}`);
    if (options.cwd !== undefined || options.env.length > 0) {
      throw new UsageError('--cwd and --env belong to a program: add --program.');
    }
    return undefined;
  }
  const argv = [...options.program, ...rest];
  if (argv.length === 0) throw new UsageError('--program: say what to run.');

  const { config } = await loadConfig();
  // On this machine the program can be checked now, and runs where its maker stands.
  const isHere = isLoopbackUrl(config.server);
  try {
    return await toProgram({
      argv,
      from: cwd,
      cwd: options.cwd ?? (isHere ? cwd : null),
      env: Object.fromEntries(options.env),
      searchPath: isHere ? (environment.PATH ?? '') : null,
    });
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    const { problem = '', remedy = '' } = error.details;
    throw new UsageError(`--program: ${problem}. ${remedy}.`);
  }
}
