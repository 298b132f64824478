import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { BatchError, type Clock, type Program } from '../../core/index.ts';
import { messageOf } from '../engine-trouble.ts';
import type { HeldTask } from '../held-task.ts';
import type { OutputPump } from '../output/output-pump.ts';
import { createOutputReader } from './output-reader.ts';
import { createProcessGroup, type ProcessGroup } from './process-group.ts';
import { fillArguments } from './program-arguments.ts';
import { type Environment, programEnvironment } from './program-environment.ts';
import { programInput } from './program-input.ts';
import type { RunEnd, Runner } from './runner.ts';

export interface ProcessRunnerOptions {
  readonly node: string;
  readonly clock: Clock;
  /** What programs inherit from, by allow-list. */
  readonly environment: Environment;
  /** From SIGTERM to SIGKILL, for what a program leaves behind. */
  readonly killGraceMs: number;
  outputOf(task: HeldTask): OutputPump;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Processes that outlive their program get this long to end by themselves: a pipe's reader, say. */
const LEFT_BEHIND_MS = 1000;

/** Troubles of the machine, not of the program: another try may go well. */
const PASSING_ERRORS = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * Runs the queue's program for a task: no shell, JSON on stdin, ids in a clean environment,
 * a process group of its own. Its exit code is the outcome.
 */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  return {
    async run(task) {
      const { program } = task.queue;
      if (program === null) return refused('The queue has no program.');
      try {
        const child = launch(program, task, options);
        return await attend(child, task, options);
      } catch (error) {
        return toStartFailure(error, program, options.node);
      }
    },
  };
}

function launch(program: Program, task: HeldTask, options: ProcessRunnerOptions): Child {
  const [command = '', ...args] = fillArguments(program.argv, task);
  return spawn(command, args, {
    cwd: program.cwd ?? undefined,
    env: programEnvironment(program, task, { node: options.node, inherited: options.environment }),
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    detached: true, // A session and group of its own, so that all of it can be stopped.
  });
}

/** Rejects when the program could not be started. */
async function attend(
  child: Child,
  task: HeldTask,
  { clock, killGraceMs, outputOf }: ProcessRunnerOptions,
): Promise<RunEnd> {
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (child.pid === undefined) return toEnd(await exit, '');

  const group = createProcessGroup(child.pid, clock);
  task.onStop = ({ graceMs }) => group.stop(graceMs);
  const pump = (): OutputPump => outputOf(task);
  const stdout = createOutputReader({ pipe: child.stdout, stream: 'stdout', clock, pump });
  const stderr = createOutputReader({ pipe: child.stderr, stream: 'stderr', clock, pump });
  child.stdin.on('error', () => {}); // A program need not read its input.
  child.stdin.end(programInput(task));

  const ended = await exit;
  await clearLeftBehind(group, { clock, killGraceMs, pump });
  const letGo = await Promise.all([stdout.finish(), stderr.finish()]);
  if (letGo.includes(true)) {
    pump().note(
      '[a process that left the program’s group still holds its output; not read further]',
    );
  }
  return toEnd(ended, stderr.lastLine());
}

async function clearLeftBehind(
  group: ProcessGroup,
  {
    clock,
    killGraceMs,
    pump,
  }: { readonly clock: Clock; readonly killGraceMs: number; readonly pump: () => OutputPump },
): Promise<void> {
  using _ = clock.after(LEFT_BEHIND_MS, () => {
    pump().note('[processes left behind by the program are being stopped]');
    group.stop(killGraceMs);
  });
  await group.gone();
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function toEnd({ code, signal }: Exit, lastLine: string): RunEnd {
  if (code === 0) return { outcome: 'succeeded', code };
  const reason = lastLine === '' ? '.' : `: ${lastLine}`;
  if (signal !== null) {
    const number = 128 + constants.signals[signal];
    return {
      outcome: 'failed',
      code: number,
      error: `The program was killed by ${signal}${reason}`,
    };
  }
  return { outcome: 'failed', code, error: `The program exited with code ${code}${reason}` };
}

function toStartFailure(error: unknown, { argv, cwd }: Program, node: string): RunEnd {
  if (error instanceof BatchError) return refused(error.message);
  const { code = '' } = error as NodeJS.ErrnoException;
  const name = `The program "${argv[0]}"`;
  if (code === 'ENOENT') {
    const missing = cwd !== null && !existsSync(cwd) ? `Its folder "${cwd}"` : name;
    return refused(`${missing} is not there on node "${node}".`);
  }
  if (code === 'EACCES') return refused(`${name} may not be executed on node "${node}".`);
  if (code === 'E2BIG') return refused(`${name} was given more arguments than the system takes.`);
  const sentence = `${name} could not be started on node "${node}": ${messageOf(error)}.`;
  return { outcome: 'failed', error: sentence, final: !PASSING_ERRORS.includes(code) };
}

function refused(error: string): RunEnd {
  return { outcome: 'failed', error, final: true };
}
