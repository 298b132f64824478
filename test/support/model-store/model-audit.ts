import { isFinal, isLive, noCounts } from '../../../src/core/store/index.ts';
import { type ModelState, nodeKey, type TaskRecord } from './model-state.ts';

/** Recounts everything and says, in words, what should never be. [] is good. */
export function audit(state: ModelState): string[] {
  return [
    ...auditCounts(state),
    ...auditKeys(state),
    ...[...state.tasks.values()].flatMap((task) =>
      auditTask(task).map((problem) => `task ${task.id} (${task.state}): ${problem}`),
    ),
  ];
}

function auditCounts(state: ModelState): string[] {
  const problems: string[] = [];
  const running = new Map<string, number>();
  for (const queue of state.queues.values()) {
    const counts = noCounts();
    for (const task of queue.tasks) {
      counts[task.state] += 1;
      if (state.tasks.get(task.id) !== task) problems.push(`task ${task.id} is not to be found`);
      if (!task.live) continue;
      const key = nodeKey(queue.namespace, task.live.node);
      running.set(key, (running.get(key) ?? 0) + 1);
    }
    const [kept, real] = [JSON.stringify(queue.counts), JSON.stringify(counts)];
    if (kept !== real) problems.push(`queue ${queue.name}: counters ${kept}, tasks ${real}`);
  }
  for (const key of new Set([...running.keys(), ...state.runningCounts.keys()])) {
    const [kept, real] = [state.runningCounts.get(key) ?? 0, running.get(key) ?? 0];
    if (kept !== real) problems.push(`node ${key}: counter ${kept}, live attempts ${real}`);
  }
  const inQueues = [...state.queues.values()].reduce((sum, queue) => sum + queue.tasks.size, 0);
  if (inQueues !== state.tasks.size) {
    problems.push(`${state.tasks.size} tasks are known, ${inQueues} are in queues`);
  }
  return problems;
}

function auditKeys(state: ModelState): string[] {
  return [...state.queues.values()].flatMap((queue) => {
    const keyed = [...queue.tasks].filter((task) => task.key !== null);
    const isRight = keyed.every((task) => queue.byKey.get(task.key ?? '') === task);
    return isRight && queue.byKey.size === keyed.length
      ? []
      : [`queue ${queue.name}: a key twice, or one that leads elsewhere`];
  });
}

function auditTask(task: TaskRecord): string[] {
  const { state, live, ended, fence } = task;
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  check(isLive(state) === (live !== null), live ? 'has a lease' : 'has no attempt');
  check(isFinal(state) === (task.endedAt !== null), `ended at ${task.endedAt}`);
  check((state === 'held') === (task.hold !== null), `hold ${task.hold}`);
  check(state !== 'delayed' || task.notBefore !== null, 'waits for no instant');
  check(state !== 'queued' || !task.external, 'external, and queued');
  check(live === null || live.fence === fence, `live fence ${live?.fence}, fence ${fence}`);
  check((state === 'running') === (live !== null && live.startedAt !== null), 'start and state');
  const fences = [...ended, ...(live ? [live] : [])].map((attempt) => attempt.fence);
  check(
    fences.every((one, index) => one > (fences[index - 1] ?? 0) && one <= fence),
    `fences ${fences.join(', ')} up to ${fence}`,
  );
  for (const attempt of ended) {
    check(attempt.endedAt >= attempt.claimedAt, `attempt ${attempt.fence} ended before it began`);
    check(attempt.outcome !== null, `attempt ${attempt.fence} ended without an outcome`);
  }
  const { claimCount, tryCount, lossCount, roundCount } = task;
  check(
    [claimCount, tryCount, lossCount, roundCount].every((count) => count >= 0) &&
      claimCount <= fence,
    `claims ${claimCount}, tries ${tryCount}, losses ${lossCount}, rounds ${roundCount}`,
  );
  return problems;
}
