import type { LoadedConfig } from '../app/config.ts';
import type { RemoteEngine } from '../client/remote-engine.ts';
import type { Clock, Random } from '../core/index.ts';
import type { ExitCode } from './exit-code.ts';
import type { Completion, Options, ValuesOf } from './option.ts';
import type { Output } from './output.ts';
import type { OutputStream } from './output-stream.ts';

/** What the program finds around it: the process's own, or a test's. */
export interface Surroundings {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly version: string;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** Aborts at the second one. */
  readonly hurry: AbortSignal;
}

/** What a command is given to run. */
export interface Session<Given extends Options = Options> extends Surroundings {
  readonly args: readonly string[];
  readonly options: ValuesOf<Given>;
  /** All that --namespace said; commands that work in one take the configuration's. */
  readonly namespaces: readonly string[];
  readonly out: Output;
  /** The configuration with these settings said on the command line, by path. Throws FlagError or StartError. */
  loadConfig(flags?: Readonly<Record<string, string | undefined>>): Promise<LoadedConfig>;
  /** Asks a person; `false` when there is no terminal to ask on. */
  confirm(question: string): Promise<boolean>;
}

export interface EngineSession<Given extends Options = Options> extends Session<Given> {
  readonly engine: RemoteEngine;
}

interface CommandText<Given extends Options> {
  /** `task retry`: groups are made from the words. */
  readonly name: string;
  /** Arguments as help shows them: `<queue> [task-id...]`. */
  readonly usage?: string;
  readonly summary: string;
  /** Shown at the end of its help. */
  readonly examples?: readonly string[];
  readonly options?: Given;
  /** What its arguments can be, in order; the last goes for all that follow. */
  readonly completion?: readonly Completion[];
  /** Its exit code 1 says that tasks failed and nothing else: what is refused ends with 2. */
  readonly isVerdict?: boolean;
  /** Not in help: for programs, not people. */
  readonly isHidden?: boolean;
}

/** A command that talks to a server. */
export function command<Given extends Options>(
  definition: CommandText<Given> & {
    run(session: EngineSession<Given>): Promise<ExitCode>;
  },
): Command {
  return { options: {}, ...definition, kind: 'remote' } as unknown as Command;
}

/** A command that needs no server. */
export function localCommand<Given extends Options>(
  definition: CommandText<Given> & {
    run(session: Session<Given>): Promise<ExitCode>;
  },
): Command {
  return { options: {}, ...definition, kind: 'local' } as unknown as Command;
}

/** A command that runs until it is told to stop, and ends in its own time. */
export function serviceCommand<Given extends Options>(
  definition: CommandText<Given> & {
    run(session: Session<Given>): Promise<ExitCode>;
  },
): Command {
  return { options: {}, ...definition, kind: 'service' } as unknown as Command;
}

/** A command as data. Made by the functions above, which know the types of its options. */
export interface Command extends CommandText<Options> {
  readonly kind: 'remote' | 'local' | 'service';
  readonly options: Options;
  run(session: EngineSession): Promise<ExitCode>;
}
