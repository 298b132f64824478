import type { Json } from '../../core/index.ts';
import { messageOf } from '../engine-trouble.ts';
import { isFinalError } from '../final-error.ts';
import type { Handler, HandlerFunction, HandlerReturn } from '../handler.ts';
import type { HeldTask } from '../held-task.ts';
import { describeIssues, type StandardSchema } from '../standard-schema.ts';
import { TaskResult } from '../task-result.ts';
import type { RunEnd, Runner } from './runner.ts';
import { HeldTaskContext, type TaskServices } from './task-context.ts';

const SUCCEEDED: RunEnd = { outcome: 'succeeded' };
const LONGEST_ERROR = 4096;

/** Runs a TypeScript handler in this process. It can be asked to stop, not made to. */
export function createInProcessRunner(handler: Handler, services: TaskServices): Runner {
  if (typeof handler === 'function') return { run: (task) => runPlain(handler, task, services) };
  if (!handler.input && !handler.output) {
    const { run } = handler;
    return { run: (task) => runPlain(run, task, services) };
  }
  return {
    async run(task) {
      const params = await check(handler.input, 'params', task.claim.params);
      if ('problem' in params) return { outcome: 'failed', error: params.problem, final: true };
      const end = await runWith(handler.run, params.value as Json, task, services);
      if (end.outcome !== 'succeeded' || !handler.output) return end;
      const output = await check(handler.output, 'output', end.output ?? null);
      if ('problem' in output) return { outcome: 'failed', error: output.problem };
      return { ...end, output: output.value };
    },
  };
}

function runPlain(
  run: HandlerFunction,
  task: HeldTask,
  services: TaskServices,
): RunEnd | Promise<RunEnd> {
  return runWith(run, task.claim.params, task, services);
}

function runWith(
  run: HandlerFunction,
  params: Json,
  task: HeldTask,
  services: TaskServices,
): RunEnd | Promise<RunEnd> {
  const context = new HeldTaskContext(task, services);
  try {
    const returned = run(params, context);
    if (!isPromise(returned)) return toEnd(returned, context);
    // Query builders and the like are no promises, but can be awaited as if they were.
    const promise = returned instanceof Promise ? returned : Promise.resolve(returned);
    return promise.then(
      (value) => toEnd(value, context),
      (error: unknown) => toFailure(error, task, services),
    );
  } catch (error) {
    return toFailure(error, task, services);
  }
}

function isPromise(value: HandlerReturn | Promise<HandlerReturn>): value is Promise<HandlerReturn> {
  return typeof value === 'object' && value !== null && 'then' in value && isFunction(value.then);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function toEnd(returned: HandlerReturn, context: HeldTaskContext): RunEnd {
  const { emitted, continued } = context;
  if (!(returned instanceof TaskResult)) {
    if (returned === undefined && !emitted && !continued) return SUCCEEDED;
    return {
      outcome: 'succeeded',
      output: returned as Json | undefined,
      emit: emitted,
      again: continued,
    };
  }
  const { output, emit, again } = returned.parts;
  const all = emit && emitted ? [...emitted, ...emit] : (emit ?? emitted);
  return { outcome: 'succeeded', output, emit: all, again: again ?? continued };
}

/** The message goes into the attempt, the stack to the output, where there is room for it. */
function toFailure(error: unknown, task: HeldTask, services: TaskServices): RunEnd {
  const stack = error instanceof Error ? error.stack : undefined;
  // A task that was told to stop fails because of that; its stack helps nobody.
  if (typeof stack === 'string' && task.stopped === null) {
    services.outputOf(task).write('stderr', Buffer.from(`${stack}\n`, 'utf8'));
  }
  const message = messageOf(error).slice(0, LONGEST_ERROR);
  return {
    outcome: 'failed',
    error: message === '' ? 'The handler threw an error without a message.' : message,
    final: isFinalError(error),
  };
}

async function check<Output>(
  schema: StandardSchema<unknown, Output> | undefined,
  root: string,
  value: Json,
): Promise<{ readonly value: Output } | { readonly problem: string }> {
  if (!schema) return { value: value as Output };
  try {
    const checked = await schema['~standard'].validate(value);
    if (!checked.issues) return { value: checked.value };
    return { problem: describeIssues(root, checked.issues).slice(0, LONGEST_ERROR) };
  } catch (error) {
    return { problem: `${root}: the schema itself failed: ${messageOf(error)}` };
  }
}
