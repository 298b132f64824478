import type { Surroundings } from '../../../src/cli/command.ts';
import { runCommandLine } from '../../../src/cli/run.ts';
import { type Clock, systemClock, systemRandom } from '../../../src/core/index.ts';
import { type MemoryStream, memoryStream } from './memory-stream.ts';

export interface CommandLineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | AsyncIterable<Uint8Array>;
  /** stdout and stderr are a terminal of this size. */
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly cwd?: string;
  readonly clock?: Clock;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Each line of stdout as JSON. */
  readonly json: readonly unknown[];
}

/** A command line under way: its streams, its end, and Ctrl-C. */
export interface Running {
  readonly stdout: MemoryStream;
  readonly stderr: MemoryStream;
  readonly ended: Promise<Ended>;
  interrupt(): void;
}

/** Starts `batchyard ARGV` in this process. */
export function startCommand(argv: readonly string[], options: CommandLineOptions = {}): Running {
  const { environment = {}, stdin = '', terminal = null, cwd = '/', clock = systemClock } = options;
  const stdout = memoryStream(terminal);
  const stderr = memoryStream(terminal);
  const stop = new AbortController();
  const hurry = new AbortController();
  const surroundings: Surroundings = {
    stdout,
    stderr,
    stdin: toInput(stdin, terminal !== null),
    cwd,
    environment: { PATH: process.env.PATH ?? '', ...environment },
    clock,
    random: systemRandom,
    version: '1.2.3',
    stop: stop.signal,
    hurry: hurry.signal,
  };
  const ended = runCommandLine(argv, surroundings).then((code) => ({
    code,
    out: stdout.text,
    err: stderr.text,
    get json() {
      return stdout.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown);
    },
  }));
  return {
    stdout,
    stderr,
    ended,
    interrupt: () => (stop.signal.aborted ? hurry : stop).abort(),
  };
}

export function runCommand(
  argv: readonly string[],
  options: CommandLineOptions = {},
): Promise<Ended> {
  return startCommand(argv, options).ended;
}

function toInput(input: string | AsyncIterable<Uint8Array>, isTTY: boolean): Surroundings['stdin'] {
  return {
    isTTY,
    async *[Symbol.asyncIterator]() {
      if (typeof input !== 'string') yield* input;
      else if (input !== '') yield Buffer.from(input);
    },
  };
}
