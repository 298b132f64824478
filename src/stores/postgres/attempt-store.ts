import type { AttemptStore } from '../../core/store/index.ts';
import { listAttempts, listEndedByNode, listLiveByNode } from './attempt-list.ts';
import { claim } from './claim.ts';
import { claimPlain } from './claim-plain.ts';
import { claimContinuous, claimTask } from './claim-task.ts';
import { dropOld, findNextDue, rollDue, rollSome } from './due.ts';
import { renewAttempts, startAttempts } from './hold.ts';
import { renewPlain, startPlain } from './hold-plain.ts';
import { settle } from './settle.ts';
import { settlePlain } from './settle-plain.ts';
import type { Steps } from './steps.ts';

const REPEATABLE = { isRepeatable: true };

export function createAttemptStore(steps: Steps): AttemptStore {
  const { database, nodes, take } = steps;
  return {
    async claim(request, step) {
      const node = await nodes.ensure(request.namespace, request.node);
      let plain = await claimPlain(steps, { request, node, isRolled: false }, step);
      if (plain.status === 'due') {
        await rollDue(steps, step);
        plain = await claimPlain(steps, { request, node, isRolled: true }, step);
      } else if (plain.status === 'other') await rollDue(steps, step);
      if (plain.status === 'claimed') return plain.claims;
      const options = { isRepeatable: request.token !== null };
      return take(step, (work) => claim(work, request, node), options);
    },

    async claimTask(request, step) {
      await rollDue(steps, step);
      const node = await nodes.ensure(request.namespace, request.node);
      return take(step, (work) => claimTask(work, request, node));
    },

    async claimContinuous(request, step) {
      await rollDue(steps, step);
      const [queue] = await database.look<{ namespace: string }>(
        'select namespace from queues where id = $1 and fate = 0',
        request.queueId,
      );
      if (!queue) return null;
      const node = await nodes.ensure(queue.namespace, request.node);
      const options = { isRepeatable: request.token !== null };
      return take(step, (work) => claimContinuous(work, request, node), options);
    },

    async start(namespace, items, step) {
      const plain = await startPlain(steps, namespace, items, step);
      return plain ?? take(step, (work) => startAttempts(work, namespace, items), REPEATABLE);
    },
    async renew(namespace, items, step) {
      const plain = await renewPlain(steps, namespace, items, step);
      return plain ?? take(step, (work) => renewAttempts(work, namespace, items), REPEATABLE);
    },
    async settle(namespace, items, step) {
      const plain = await settlePlain(steps, namespace, items, step);
      return plain ?? take(step, (work) => settle(work, namespace, items), REPEATABLE);
    },

    async expireDue(step) {
      await take(step, (work) => dropOld(work, step.limit), REPEATABLE);
      return rollSome(steps, step, step.limit);
    },
    nextDue: (namespace) => findNextDue(steps, namespace),

    async list(namespace, taskId, step) {
      await rollDue(steps, step);
      return listAttempts(database, namespace, taskId);
    },
    async listByNode(namespace, query, step) {
      await rollDue(steps, step);
      return query.live
        ? listLiveByNode(database, namespace, query)
        : listEndedByNode(database, namespace, query);
    },
  };
}
