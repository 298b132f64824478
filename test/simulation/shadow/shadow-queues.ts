import type { TaskCounts, TaskState } from '../../../src/core/domain/task.ts';
import type {
  AdmissionStep,
  NewQueue,
  QueueChange,
  QueueCounts,
  QueueDeleted,
  QueueDeletion,
  QueueHead,
  QueueUpdate,
} from '../../../src/core/store/queue-store.ts';
import { insist } from '../violation.ts';
import {
  comparePlaces,
  countOf,
  findOpenQueue,
  hasEnded,
  jsonOf,
  type Shadow,
  type ShadowQueue,
  type ShadowTask,
} from './shadow-record.ts';
import { becomeReady, catchUp, goWait, remove } from './shadow-transitions.ts';

export function onInsert(shadow: Shadow, queue: NewQueue, answer: 'inserted' | 'exists'): void {
  const isTaken = openQueues(shadow).some(({ name }) => name === queue.name);
  insist(
    answer === (isTaken ? 'exists' : 'inserted'),
    'answer as promised',
    () => `queue ${queue.name} ${answer}`,
  );
  if (isTaken) return;
  shadow.queues.set(queue.id, {
    id: queue.id,
    name: queue.name,
    settings: queue,
    revision: 1,
    nextContinuousAt: null,
    isGone: false,
    counts: new Map(),
    tasks: new Set(),
    claimed: [],
  });
}

export function onUpdate(
  shadow: Shadow,
  change: QueueChange,
  answer: QueueUpdate,
  now: number,
): void {
  const queue = findOpenQueue(shadow, change.id);
  const status =
    queue === null ? 'missing' : queue.revision === change.revision ? 'updated' : 'changed';
  insist(
    answer.status === status,
    'answer as promised',
    () => `update of ${change.id} answered ${answer.status}, should be ${status}`,
  );
  if (status === 'changed') shadow.sometimes.hit('queue changed meanwhile');
  if (queue === null || status !== 'updated') return;
  const oldOrder = queue.settings.order;
  queue.settings = change.settings;
  queue.revision += 1;
  if (change.nextContinuousAt !== undefined) {
    queue.nextContinuousAt = change.nextContinuousAt?.getTime() ?? null;
  }
  for (const task of queue.tasks) {
    if (queue.settings.order !== oldOrder && !hasEnded(task)) task.rank = rankIn(queue, task);
    if (queue.settings.admission === 'open' && task.hold === 'admission') goWait(shadow, task, now);
  }
  if (queue.settings.order !== oldOrder) shadow.sometimes.hit('order of a queue changed');
}

/** fifo: the id; lifo: every bit of it turned; key: the key, or the id without one. */
export function rankIn({ settings: { order } }: ShadowQueue, { id, key }: ShadowTask): string {
  if (order === 'key' && key !== null) return key;
  if (order !== 'lifo') return id;
  return [...id].map((digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join('');
}

export function onDeleteQueue(shadow: Shadow, deletion: QueueDeletion, answer: QueueDeleted): void {
  const queue = findOpenQueue(shadow, deletion.id);
  const tasks = queue?.tasks.size ?? 0;
  const expected: QueueDeleted =
    queue === null
      ? { status: 'missing' }
      : deletion.tasks === 'refuse' && tasks > 0
        ? { status: 'refused', tasks }
        : { status: 'deleted', tasks };
  insist(
    jsonOf(answer) === jsonOf(expected),
    'answer as promised',
    () => `deletion answered ${jsonOf(answer)}, should be ${jsonOf(expected)}`,
  );
  if (queue === null || expected.status !== 'deleted') return;
  shadow.sometimes.hit(`queue deleted, tasks: ${deletion.tasks}`);
  queue.isGone = true;
  if (deletion.tasks === 'delete') for (const task of [...queue.tasks]) remove(shadow, task);
}

export function onHeads(shadow: Shadow, heads: readonly QueueHead[], now: number): void {
  catchUp(shadow, now);
  checkCounts(
    shadow,
    heads.map(({ queue, counts }) => ({ queueId: queue.id, counts })),
  );
  for (const { queue } of heads) {
    const known = shadow.queues.get(queue.id);
    insist(
      known?.revision === queue.revision && known.settings.paused === queue.paused,
      'answer as promised',
      () => `head of ${queue.name} at revision ${queue.revision}, should be ${known?.revision}`,
    );
  }
}

export function checkCounts(
  shadow: Shadow,
  given: readonly Pick<QueueCounts, 'queueId' | 'counts'>[],
): void {
  const open = openQueues(shadow);
  const ids = open.map(({ id }) => id);
  const givenIds = given.map(({ queueId }) => queueId);
  insist(
    ids.length === givenIds.length && ids.every((id) => givenIds.includes(id)),
    'counts right',
    () => `queues ${givenIds.join(', ')}, should be ${ids.join(', ')}`,
  );
  for (const { queueId, counts } of given) {
    const queue = shadow.queues.get(queueId) as ShadowQueue;
    for (const [state, count] of Object.entries(counts) as [keyof TaskCounts, number][]) {
      insist(
        count === countOf(queue, state),
        'counts right',
        () => `${queue.name}: ${count} ${state}, should be ${countOf(queue, state as TaskState)}`,
      );
    }
  }
}

export function onAdmit(
  shadow: Shadow,
  { queueId, limit, lease }: AdmissionStep,
  answer: { admitted: number } | 'lease-lost' | 'missing',
  now: number,
): void {
  catchUp(shadow, now);
  const queue = findOpenQueue(shadow, queueId);
  if (queue === null) {
    expectAdmission(answer, 'missing');
    return;
  }
  const held = lease && shadow.leases.get(lease.name);
  const isHeld = held && held.holder !== null && held.expiresAt > now && held.term === lease.term;
  if (lease && !isHeld) {
    shadow.sometimes.hit('admission refused: lease lost');
    expectAdmission(answer, 'lease-lost');
    return;
  }
  const room = Math.max(0, limit - countOf(queue, 'queued', 'claimed', 'running'));
  const admitted = [...queue.tasks]
    .filter(({ state, hold }) => state === 'held' && hold === 'admission')
    .sort(comparePlaces)
    .slice(0, room);
  for (const task of admitted) becomeReady(shadow, task, now);
  if (admitted.length > 0) shadow.sometimes.hit('tasks admitted');
  expectAdmission(answer, { admitted: admitted.length });
}

function expectAdmission(answer: unknown, expected: unknown): void {
  insist(
    jsonOf(answer) === jsonOf(expected),
    'one leader',
    () => `admission answered ${jsonOf(answer)}, should be ${jsonOf(expected)}`,
  );
}

export function openQueues(shadow: Shadow): ShadowQueue[] {
  return [...shadow.queues.values()].filter(({ isGone }) => !isGone);
}
