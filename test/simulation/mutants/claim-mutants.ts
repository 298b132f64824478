import { ENGINE, MODEL, type Mutant } from './mutant.ts';

export const CLAIM_MUTANTS: readonly Mutant[] = [
  {
    name: 'a live lease of another node can be taken',
    file: `${MODEL}/model-claims.ts`,
    find: "filter((one) => one.state === 'queued').sort(byPlace)",
    replace: "filter((one) => one.state === 'queued' || one.state === 'running').sort(byPlace)",
  },
  {
    name: 'a live task can be claimed by name',
    file: `${MODEL}/model-claims.ts`,
    find: "if (!isWaiting(task.state)) return { status: 'not-waiting' };",
    replace: "if (task.endedAt !== null) return { status: 'not-waiting' };",
  },
  {
    name: 'a repeated token claims anew',
    file: `${MODEL}/model-claims.ts`,
    find: 'if (holder.token === null || !seen || seen.until <= now) return null;',
    replace: 'if (seen || !seen) return null;',
  },
  {
    name: 'a token gives what another node took over',
    file: `${MODEL}/model-claims.ts`,
    find: 'const isHeld = task?.live?.node === holder.node && task.live.token === holder.token;',
    replace: 'const isHeld = task?.live !== null;',
  },
  {
    name: 'the engine does not pass the token on',
    file: `${ENGINE}/claim-operation.ts`,
    find: '        node,\n        token,\n        picks: from',
    replace: '        node,\n        token: null,\n        picks: from',
  },
  {
    name: 'the engine changes the token from step to step',
    file: `${ENGINE}/claim-operation.ts`,
    find: '        node,\n        token,\n        picks: from',
    replace:
      '        node,\n        token: token && (from.length > 1 ? token + "/1" : token),\n        picks: from',
  },
  {
    name: 'the engine looks for its first token first',
    file: `${ENGINE}/claim-operation.ts`,
    find: 'if (isFirstStep && all.some(({ queue }) => queue.maxClaims !== null)) {',
    replace: 'if (isFirstStep && all.some(({ queue }) => queue.maxClaims === -1)) {',
  },
  {
    name: 'a continuous queue gives one of many claims again',
    file: `${ENGINE}/claim-operation.ts`,
    find: 'return token === null ? claims : claimFrom([]);',
    replace: 'return claims;',
  },
  {
    name: 'delayed tasks are claimed early',
    file: `${MODEL}/model-claims.ts`,
    find: "filter((one) => one.state === 'queued').sort(byPlace)",
    replace: "filter((one) => one.state === 'queued' || one.state === 'delayed').sort(byPlace)",
  },
  {
    name: 'a paused queue gives tasks',
    file: `${MODEL}/model-claims.ts`,
    find: 'return !queue.settings.paused && allowsNode(state, queue, node);',
    replace: 'return allowsNode(state, queue, node);',
  },
  {
    name: 'nodes that may not have a queue get its tasks',
    file: `${MODEL}/model-claims.ts`,
    find: "return isNamed && !settings.nodesNot.includes(node) && wish === 'work';",
    replace: "return wish === 'work';",
  },
  {
    name: 'a drained node gets tasks',
    file: `${MODEL}/model-claims.ts`,
    find: "return isNamed && !settings.nodesNot.includes(node) && wish === 'work';",
    replace: 'return isNamed && !settings.nodesNot.includes(node);',
  },
  {
    name: 'low priorities go first',
    file: `${MODEL}/model-state.ts`,
    find: 'return b.priority - a.priority ||',
    replace: 'return a.priority - b.priority ||',
  },
  {
    name: 'the rank is not looked at',
    file: `${MODEL}/model-state.ts`,
    find: '|| compare(a.rank, b.rank) ||',
    replace: '||',
  },
  {
    name: 'the queue limit counts only running tasks',
    file: `${MODEL}/model-claims.ts`,
    find: 'rooms.push(maxRunning - queue.counts.claimed - queue.counts.running);',
    replace: 'rooms.push(maxRunning - queue.counts.running);',
  },
  {
    name: 'the limit of queue and node is off by one',
    file: `${MODEL}/model-claims.ts`,
    find: 'rooms.push(maxRunningPerNode - here.length);',
    replace: 'rooms.push(maxRunningPerNode - here.length + 1);',
  },
  {
    name: 'the node limit is not looked at',
    file: `${MODEL}/model-claims.ts`,
    find: 'if (nodeLimit !== null) rooms.push',
    replace: 'if (nodeLimit === -1) rooms.push',
  },
  {
    name: 'a keyed limit counts only running tasks',
    file: `${MODEL}/model-claims.ts`,
    find: '(task) => task.live?.limitKeys[index] === key',
    replace: "(task) => task.state === 'running' && task.live?.limitKeys[index] === key",
  },
  {
    name: 'a rate counts only half its time',
    file: `${MODEL}/model-claims.ts`,
    find: 'const windowStart = now - limit.perMs;',
    replace: 'const windowStart = now - limit.perMs / 2;',
  },
];
