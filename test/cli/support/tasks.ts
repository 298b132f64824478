import type { TaskId, TaskSubmission } from '../../../src/core/index.ts';
import { openYard, type Yard } from './yard.ts';

/** A yard without a node, whose queue `q` has these tasks. */
export async function openWithTasks(
  ...tasks: TaskSubmission[]
): Promise<Yard & { readonly ids: readonly TaskId[] }> {
  const yard = await openYard();
  await yard.engine.queues.create('q');
  const submitted = tasks.length === 0 ? [] : await yard.engine.tasks.submit('q', tasks);
  return Object.assign(yard, { ids: submitted.map(({ id }) => id) });
}

/** Claims the oldest task, writes two lines of output and ends it with code 7. */
export async function settleOne(
  yard: Yard,
  outcome: 'succeeded' | 'failed',
  error?: string,
): Promise<void> {
  const { claims } = await yard.engine.attempts.claim({ node: 'n1' });
  const [claim] = claims;
  if (!claim) throw new Error('There was nothing to claim.');
  const { taskId, fence } = claim;
  await yard.engine.outputs.append(taskId, fence, [
    { number: 1, stream: 'stdout', offset: 0, bytes: Buffer.from('one\ntwo\n') },
  ]);
  await yard.engine.attempts.settle([
    { taskId, fence, outcome, final: true, code: 7, ...(error !== undefined && { error }) },
  ]);
}
