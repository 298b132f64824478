import { loadConfig } from '../app/config.ts';
import type { EngineSession, Session, Surroundings } from './command.ts';
import { COMMANDS } from './command-list.ts';
import { askPerson } from './confirmation.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { reportFailure } from './failure.ts';
import type { GLOBAL_OPTIONS } from './global-options.ts';
import { withSuggestion } from './name-suggestion.ts';
import type { ValuesOf } from './option.ts';
import { createOutput, type Output } from './output.ts';
import { type Call, parseCommandLine } from './program.ts';

type Globals = ValuesOf<typeof GLOBAL_OPTIONS>;

/** Runs one command line and gives its exit code; never throws. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  // Before the line is parsed, only its look can tell how errors are wanted.
  const early = openOutput(surroundings, { json: argv.includes('--json'), quiet: false });
  try {
    const parsed = parseCommandLine(COMMANDS, argv);
    if ('text' in parsed) {
      const stream = parsed.isError ? surroundings.stderr : surroundings.stdout;
      stream.write(parsed.text);
      return parsed.isError ? EXIT.usage : EXIT.ok;
    }
    return await runCall(parsed, surroundings);
  } catch (error) {
    return reportFailure(error, early);
  }
}

async function runCall(call: Call, surroundings: Surroundings): Promise<ExitCode> {
  const globals = call.globals as Globals;
  const out = openOutput(surroundings, globals);
  const session: Session = {
    ...surroundings,
    args: call.args,
    options: call.options,
    namespaces: globals.namespace,
    out,
    confirm: (question) => askPerson(question, surroundings),
    loadConfig: (flags = {}) =>
      loadConfig({
        flags: {
          server: globals.server,
          token: globals.token,
          namespace: globals.namespace.at(-1),
          ...flags,
        },
        environment: surroundings.environment,
        file: globals.config ?? null,
        cwd: surroundings.cwd,
      }),
  };
  try {
    const running = runIn(session, call);
    if (call.command.kind === 'service') return await running;
    return await Promise.race([running, interruption(surroundings.stop)]);
  } catch (error) {
    const code = reportFailure(error, out);
    return call.command.isVerdict && code === EXIT.failed ? EXIT.usage : code;
  } finally {
    out.progress().hide();
  }
}

async function runIn(session: Session, { command }: Call): Promise<ExitCode> {
  if (command.kind !== 'remote') return command.run(session as EngineSession);
  const { config } = await session.loadConfig();
  // Loaded only where it is needed: help and completion answer sooner without it.
  const { connectEngine } = await import('../client/connect-engine.ts');
  const { server: url, token, namespace } = config;
  const engine = connectEngine({ url, token, namespace });
  try {
    return await command.run({ ...session, engine });
  } catch (error) {
    throw await withSuggestion(engine, error);
  }
}

/** Ctrl-C ends a command at once, whatever it waits for. */
function interruption(stop: AbortSignal): Promise<ExitCode> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(EXIT.interrupted);
    stop.addEventListener('abort', () => resolve(EXIT.interrupted), { once: true });
  });
}

function openOutput(
  { stdout, stderr, clock, environment }: Surroundings,
  { json, quiet }: Pick<Globals, 'json' | 'quiet'>,
): Output {
  const hasColours = !environment.NO_COLOR && environment.TERM !== 'dumb';
  return createOutput({ stdout, stderr, clock, isJson: json, isQuiet: quiet, hasColours });
}
