import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/source-files.ts';
import { memoryStream } from './memory-stream.ts';

const PROGRAM = join(ROOT, 'dist/cli/main.js');

export interface ProgramEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built program as a process of its own. Disposing kills it. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
  /** Resolves once stdout matches; rejects when the program ends before. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export function startProgram(argv: readonly string[], options: ProgramOptions): Program {
  const { cwd, environment = {}, stdin } = options;
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'pipe',
  });
  const stdout = memoryStream();
  const stderr = memoryStream();
  child.stdout.on('data', (bytes: Buffer) => stdout.write(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.write(bytes));
  child.stdin.end(stdin ?? '');
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.on('close', (code) => resolve({ code, out: stdout.text, err: stderr.text }));
  });
  return {
    child,
    ended,
    seen: (pattern) =>
      Promise.race([
        stdout.seen(pattern),
        ended.then(({ code, err }) => {
          throw new Error(`It ended with ${code} before it said ${pattern}: ${err}`);
        }),
      ]),
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function runProgram(
  argv: readonly string[],
  options: ProgramOptions,
): Promise<ProgramEnd> {
  await using program = startProgram(argv, options);
  return await program.ended;
}

export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'batchyard-cli-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
