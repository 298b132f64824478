import type { AttemptStore } from '../../core/store/index.ts';
import { listAttempts, listEndedByNode, listLiveByNode } from './attempt-list.ts';
import { claim } from './claim.ts';
import { claimContinuous, claimTask } from './claim-task.ts';
import { dropOld, expireLeases, nextDueIn, readyDelayed } from './due.ts';
import { renewAttempts, startAttempts } from './hold.ts';
import { settle } from './settle.ts';
import type { Steps } from './steps.ts';

export function createAttemptStore({ session, look, take, takeAsOfNow }: Steps): AttemptStore {
  return {
    claim: (request, step) => takeAsOfNow(step, (now) => claim(session, request, now)),
    claimTask: (request, step) => takeAsOfNow(step, (now) => claimTask(session, request, now)),
    claimContinuous: (request, step) =>
      takeAsOfNow(step, (now) => claimContinuous(session, request, now)),

    start: (namespace, items, step) =>
      take(step, (now) => startAttempts(session, namespace, items, now)),
    renew: (namespace, items, step) =>
      take(step, (now) => renewAttempts(session, namespace, items, now)),
    settle: (namespace, items, step) => take(step, (now) => settle(session, namespace, items, now)),

    expireDue: (step) =>
      take(step, (now) => {
        dropOld(session, now, step.limit);
        return {
          expired: expireLeases(session, now, step.limit),
          readied: readyDelayed(session, now, step.limit),
        };
      }),
    nextDue: (namespace) => look(() => nextDueIn(session, namespace)),

    list: (namespace, taskId, step) =>
      takeAsOfNow(step, () => listAttempts(session, namespace, taskId)),
    listByNode: (namespace, query, step) =>
      takeAsOfNow(step, () =>
        query.live
          ? listLiveByNode(session, namespace, query)
          : listEndedByNode(session, namespace, query),
      ),
  };
}
