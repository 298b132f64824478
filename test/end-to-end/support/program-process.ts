import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const WORKER = fileURLToPath(new URL('./worker-process.mjs', import.meta.url));

/** A process of the built product, as a user starts it. */
export interface ProgramProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** What it has said so far, at most the last 20,000 characters. */
  said(): string;
  seen(text: RegExp, deadlineMs?: number): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** The most memory it ever had. */
  peakMb(): number;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export function startCli(args: readonly string[], options: ProgramOptions): ProgramProcess {
  return startProgram([CLI, ...args], options);
}

export interface WorkerOptions extends ProgramOptions {
  readonly store: string;
  readonly queue: string;
  readonly slots: number;
  /** Where it notes what it runs. */
  readonly effects: string;
  readonly workMs?: number;
}

/** A node with one handler, inside a program of its own. */
export function startWorker(options: WorkerOptions): ProgramProcess {
  const { store, queue, slots, effects, workMs = 0 } = options;
  return startProgram([WORKER, store, queue, String(slots), effects, String(workMs)], options);
}

/** Many nodes in one process, each with a store of its own. */
export function startNodes(options: WorkerOptions & { readonly count: number }): ProgramProcess {
  const { store, queue, slots, effects, count } = options;
  const args = [store, queue, String(slots), effects, '0', String(count)];
  return startProgram([WORKER, ...args], options);
}

function startProgram(
  args: readonly string[],
  { cwd, environment }: ProgramOptions,
): ProgramProcess {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (some: string) => {
      text = (text + some).slice(-20_000);
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded()) return;
    child.kill(signal);
    await exited;
  };
  return {
    child,
    said: () => text,
    seen: (wanted, deadlineMs = 30_000) =>
      eventually(
        `it says ${wanted}`,
        () => {
          const found = wanted.exec(text);
          if (!found && hasEnded()) throw new Error(`It ended before it said ${wanted}:\n${text}`);
          return found;
        },
        deadlineMs,
      ),
    kill,
    peakMb() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    [Symbol.asyncDispose]: () => kill('SIGKILL'),
  };
}
