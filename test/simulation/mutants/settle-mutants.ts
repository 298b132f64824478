import { MODEL, type Mutant } from './mutant.ts';

export const SETTLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a counter is not moved',
    file: `${MODEL}/model-transitions.ts`,
    find: '  task.queue.counts[to] += 1;\n',
    replace: "  if (to !== 'failed') task.queue.counts[to] += 1;\n",
  },
  {
    name: "a node's counter is not moved",
    file: `${MODEL}/model-transitions.ts`,
    find: '  countRunning(state, task, live.node, -1);\n  task.live = null;',
    replace: '  task.live = null;',
  },
  {
    name: 'leases never run out',
    file: `${MODEL}/model-transitions.ts`,
    find: 'const expired = due(leaseEnd);',
    replace: 'const expired = due(() => null);',
  },
  {
    name: 'the lease expirer sleeps too long',
    file: 'src/core/maintenance/lease-expirer.ts',
    find: 'const EVERY_MS = 1000;',
    replace: 'const EVERY_MS = 60_000;',
  },
  {
    name: 'a loss is not counted',
    file: `${MODEL}/model-transitions.ts`,
    find: '  task.tryCount += 1;\n  task.lossCount += 1;\n',
    replace: '  task.tryCount += 1;\n',
  },
  {
    name: 'quarantine comes one loss late',
    file: 'src/core/rules/after-loss.ts',
    find: 'task.lossCount + 1 >= queue.maxLosses',
    replace: 'task.lossCount >= queue.maxLosses',
  },
  {
    name: 'a repeated settlement emits again',
    file: `${MODEL}/model-attempts.ts`,
    find: "    return { taskId, fence, status: 'repeated' };",
    replace:
      "    emit(state, namespace, item, now);\n    return { taskId, fence, status: 'repeated' };",
  },
  {
    name: 'a late settlement emits',
    file: `${MODEL}/model-attempts.ts`,
    find: "    return { taskId, fence, status: 'late' };",
    replace:
      "    emit(state, namespace, item, now);\n    return { taskId, fence, status: 'late' };",
  },
  {
    name: 'a settlement forgets what it emits',
    file: `${MODEL}/model-attempts.ts`,
    find: '  follow(state, task, item.next, now);\n  emit(state, task.queue.namespace, item, now);',
    replace: '  follow(state, task, item.next, now);',
  },
  {
    name: 'a second late word overwrites the first',
    file: `${MODEL}/model-attempts.ts`,
    find: "if (ended.late) return { taskId, fence, status: 'lost' };",
    replace: '',
  },
  {
    name: 'any late success ends the task',
    file: `${MODEL}/model-attempts.ts`,
    find: '|| !isOpenToSuccess || task.ended.at(-1) !== ended) {',
    replace: '|| !isOpenToSuccess) {',
  },
  {
    name: 'a late success reopens what was ended on request',
    file: `${MODEL}/model-attempts.ts`,
    find: "const isOpenToSuccess = task.state === 'failed' || task.state === 'orphaned';",
    replace: 'const isOpenToSuccess = task.endedAt !== null;',
  },
  {
    name: 'a failing task ignores a request to cancel',
    file: `${MODEL}/model-transitions.ts`,
    find: 'if (waits && task.cancelRequestedAt !== null) finish',
    replace: 'if (waits && task.cancelRequestedAt === 0) finish',
  },
  {
    name: 'a cancel leaves the claim alive',
    file: `${MODEL}/model-tasks.ts`,
    find: 'if (task.live) endAttempt(state, task, ending, now);',
    replace: '',
  },
];
