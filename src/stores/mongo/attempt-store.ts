import type { AttemptStore } from '../../core/store/index.ts';
import { listAttempts, listByNode } from './attempt-list.ts';
import { claim } from './claim.ts';
import { claimContinuous, claimTask } from './claim-one.ts';
import { findNextDue, rollDue } from './due.ts';
import { renewAttempts, startAttempts } from './hold.ts';
import { settle } from './settle.ts';
import type { Steps } from './steps.ts';

export function createAttemptStore(steps: Steps): AttemptStore {
  const { session } = steps;
  const { spaces } = session;
  return {
    claim: (request, step) => steps.takeAsOfNow(step, (work) => claim(session, request, work)),
    claimTask: (request, step) =>
      steps.takeAsOfNow(step, (work) => claimTask(session, request, work)),
    claimContinuous: (request, step) =>
      steps.takeAsOfNow(step, (work) => claimContinuous(session, request, work)),
    start: (namespace, items, step) =>
      steps.take(step, (work) => startAttempts(session, { namespace, items }, work)),
    renew: (namespace, items, step) =>
      steps.take(step, (work) => renewAttempts(session, { namespace, items }, work)),
    settle: (namespace, items, step) =>
      steps.take(step, (work) => settle(session, { namespace, items }, work)),
    expireDue: (step) => steps.take(step, (work) => rollDue(session, work, step.limit)),
    nextDue: (namespace) => steps.look(() => findNextDue(spaces.get(namespace))),
    list: (namespace, taskId, step) =>
      steps.takeAsOfNow(step, () => listAttempts(spaces.get(namespace), taskId)),
    listByNode: (namespace, query, step) =>
      steps.takeAsOfNow(step, ({ now }) => listByNode(spaces.get(namespace), query, now)),
  };
}
