import { ENGINE, MODEL, type Mutant } from './mutant.ts';

export const FENCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'settle without a fence check',
    file: `${MODEL}/model-attempts.ts`,
    find: 'if (task?.live && task.live.fence === fence) {',
    replace: 'if (task?.live) {',
  },
  {
    name: 'renew and start without a fence check',
    file: `${MODEL}/model-attempts.ts`,
    find: 'if (task?.live && (fence === null || task.live.fence === fence)) return',
    replace: 'if (task?.live) return',
  },
  {
    name: 'output without a fence check',
    file: `${MODEL}/model-outputs.ts`,
    find: "if (task?.live?.fence !== fence) return 'lost';",
    replace: "if (!task?.live) return 'lost';",
  },
  {
    name: 'a claim does not raise the fence',
    file: `${MODEL}/model-transitions.ts`,
    find: 'task.fence += 1;\n  task.claimCount += 1;',
    replace: 'task.claimCount += 1;',
  },
  {
    name: 'the engine renews whichever attempt is live',
    file: `${ENGINE}/create-attempt-operations.ts`,
    find: 'store.attempts.renew(namespace, await toRenewItems(items), handle.step())',
    replace:
      'store.attempts.renew(namespace, (await toRenewItems(items)).map((one) => ({ ...one, fence: null })), handle.step())',
  },
  {
    name: 'the engine settles whichever attempt is live',
    file: `${ENGINE}/settle-operation.ts`,
    find: 'store.attempts.settle(namespace, settlements, handle.step())',
    replace:
      'store.attempts.settle(namespace, settlements.map((one) => ({ ...one, fence: null })), handle.step())',
  },
];
