import type { Claim } from '../domain/attempt.ts';
import { checkJson, checkWhole } from '../domain/check.ts';
import { checkName } from '../domain/namespace.ts';
import { BatchError, invalid } from '../errors.ts';
import { assignmentOrder } from '../rules/assignment.ts';
import type { ClaimTaskStep, RenewItem } from '../store/attempt-store.ts';
import type { AttemptOperations, RenewRequest } from './attempt-operations.ts';
import { createClaimOperation, LONGEST_LEASE_MS } from './claim-operation.ts';
import { type Handle, storeNow } from './engine-context.ts';
import { pageOf } from './page-of.ts';
import { findQueues } from './queue-lookup.ts';
import { createSettleOperation, MOST_SETTLED } from './settle-operation.ts';

/** How often dispatchers that outrun each other choose again. */
const MOST_RACES = 50;
const USUAL_LEASE_MS = 30_000;

export function createAttemptOperations(handle: Handle): AttemptOperations {
  const { store, namespace } = handle;

  const claimTask = async (step: ClaimTaskStep): Promise<Claim | 'outrun' | 'refused'> => {
    const answer = await store.attempts.claimTask(step, handle.step());
    if (answer.status === 'claimed') return answer.claim;
    if (answer.status === 'outrun' || answer.status === 'refused') return answer.status;
    const task = await store.tasks.find(namespace, step.taskId, handle.step());
    if (task === null) throw new BatchError('TASK_NOT_FOUND', { task: step.taskId, namespace });
    throw new BatchError('TASK_STATE', { task: task.id, state: task.state, action: 'claimed' });
  };

  const toRenewItems = async (requests: readonly RenewRequest[]): Promise<RenewItem[]> => {
    checkCount(requests);
    for (const { leaseMs, data } of requests) {
      if (leaseMs !== undefined) {
        checkWhole('leaseMs', leaseMs, { min: -LONGEST_LEASE_MS, max: LONGEST_LEASE_MS });
      }
      if (data !== undefined) checkJson('data', data);
    }
    if (requests.every(({ leaseMs }) => leaseMs !== undefined)) return requests as RenewItem[];
    const leases = await queueLeases(handle, requests);
    return requests.map((request) => ({
      ...request,
      leaseMs: request.leaseMs ?? leases.get(request.taskId) ?? USUAL_LEASE_MS,
    }));
  };

  return {
    claim: createClaimOperation(handle),
    async claimTask(taskId, request) {
      checkName('node', request.node);
      const { node, leaseMs = null, start = true, force = false } = request;
      const claim = await claimTask({
        namespace,
        taskId,
        node,
        leaseMs,
        start,
        force,
        assignedVersion: null,
      });
      if (typeof claim !== 'string') return claim;
      throw new BatchError('TASK_STATE', {
        task: taskId,
        state: 'waiting for its queue or a limit',
        action: 'claimed',
      });
    },
    async assign(taskId, { candidates, leaseMs = null, start = false }) {
      for (let race = 0; race < MOST_RACES; race++) {
        const nodes = await Promise.all(
          candidates.map((name) => store.nodes.find(namespace, name)),
        );
        const present = nodes.filter((node) => node !== null);
        let outrun = false;
        for (const { name: node, assignedVersion } of assignmentOrder(
          present,
          await storeNow(handle),
        )) {
          const step = { namespace, taskId, node, leaseMs, start, force: false, assignedVersion };
          const claim = await claimTask(step);
          if (typeof claim !== 'string') return { node, claim };
          outrun = claim === 'outrun';
          if (outrun) break;
        }
        if (!outrun) return null;
      }
      return null;
    },
    async start(items) {
      checkCount(items);
      return [...(await store.attempts.start(namespace, items, handle.step()))];
    },
    async renew(items) {
      return [...(await store.attempts.renew(namespace, await toRenewItems(items), handle.step()))];
    },
    settle: createSettleOperation(handle),
    async list(taskId) {
      const attempts = await store.attempts.list(namespace, taskId, handle.step());
      if (attempts.length > 0) return attempts;
      const task = await store.tasks.find(namespace, taskId, handle.step());
      if (task === null) throw new BatchError('TASK_NOT_FOUND', { task: taskId, namespace });
      return attempts;
    },
    async listByNode(node, page = {}) {
      const query = { node, live: page.live ?? false, ...pageOf(page) };
      return store.attempts.listByNode(namespace, query, handle.step());
    },
  };
}

async function queueLeases(
  handle: Handle,
  requests: readonly RenewRequest[],
): Promise<Map<string, number>> {
  const ids = requests.filter(({ leaseMs }) => leaseMs === undefined).map(({ taskId }) => taskId);
  const peeked = await handle.store.tasks.peek(handle.namespace, ids);
  const tasks = peeked.filter((task) => task !== null);
  const queues = await findQueues(
    handle,
    tasks.map(({ queue }) => queue),
  );
  return new Map(tasks.map(({ id, queue }) => [id, queues.get(queue)?.leaseMs ?? USUAL_LEASE_MS]));
}

function checkCount(items: readonly unknown[]): void {
  if (items.length > MOST_SETTLED) {
    throw invalid('items', `${items.length} in one call`, `Send at most ${MOST_SETTLED}`);
  }
}
