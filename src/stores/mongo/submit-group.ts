import type { Mutation, NewTask, Submission, SubmitAnswer } from '../../core/store/index.ts';
import type { Steps } from './steps.ts';
import { addTasks, submit } from './submission.ts';
import { meetsOthers } from './task-conflict.ts';

/** Batches of one queue that are on their way at once; what comes meanwhile waits and goes together. */
const MOST_UNDER_WAY = 2;
const MOST_TOGETHER = 1000;

interface Waiting {
  readonly task: NewTask;
  readonly resolve: (answer: SubmitAnswer) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  waiting: Waiting[];
  underWay: number;
}

/**
 * Single tasks of many callers go to the server in one insert: what a call costs is the call. Only
 * tasks that meet no other, without a key of the call and by the server's clock.
 */
export function createSubmitGroup(
  steps: Steps,
): (submission: Submission, step: Mutation) => Promise<SubmitAnswer> {
  const { session } = steps;
  const groups = new Map<string, Group>();

  function send(queueId: string, group: Group): void {
    if (group.waiting.length === 0) {
      if (group.underWay === 0) groups.delete(queueId);
      return;
    }
    if (group.underWay >= MOST_UNDER_WAY) return;
    const batch = group.waiting.splice(0, MOST_TOGETHER);
    group.underWay += 1;
    void write(queueId, batch).finally(() => {
      group.underWay -= 1;
      send(queueId, group);
    });
  }

  async function write(queueId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const tasks = batch.map(({ task }) => task);
      const answer = await steps.take({ now: null }, async (work) => {
        const found = await session.directory.find(queueId);
        if (!found || found.queue.gone !== null) return { status: 'missing-queue' as const };
        // Each is a call of its own: no intent holds them together.
        return addTasks(session, { ...found, tasks, onConflict: 'skip', isNoted: true }, work);
      });
      for (const [at, { resolve }] of batch.entries()) {
        const one = answer.status === 'submitted' ? answer.tasks[at] : undefined;
        resolve(one ? { status: 'submitted', tasks: [one] } : answer);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (submission, step) => {
    const [task, ...others] = submission.tasks;
    const isAlone = task && others.length === 0 && !meetsOthers(task) && !task.external;
    if (!isAlone || step.once || step.now !== null) {
      return steps.mutate(step, (work) => submit(session, submission, work));
    }
    return new Promise((resolve, reject) => {
      const group = groups.get(submission.queueId) ?? { waiting: [], underWay: 0 };
      groups.set(submission.queueId, group);
      group.waiting.push({ task, resolve, reject });
      // After this turn, so that callers of the same turn go together.
      if (group.waiting.length === 1) queueMicrotask(() => send(submission.queueId, group));
    });
  };
}
