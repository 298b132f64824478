import type { Emission } from '../../../src/core/store/attempt-store.ts';
import type {
  NewTask,
  OnConflict,
  Submission,
  SubmitAnswer,
} from '../../../src/core/store/task-store.ts';
import { insist, Violation } from '../violation.ts';
import {
  doesWait,
  findOpenQueue,
  hasEnded,
  hexOf,
  jsonOf,
  msOf,
  type Shadow,
  type ShadowQueue,
  type ShadowTask,
} from './shadow-record.ts';
import { goWait, hold, reconsiderWait } from './shadow-transitions.ts';

export function onSubmit(
  shadow: Shadow,
  submission: Submission,
  answer: SubmitAnswer,
  now: number,
): void {
  const { sometimes } = shadow;
  const queue = findOpenQueue(shadow, submission.queueId);
  if (queue === null) {
    expect(answer.status === 'missing-queue', answer, 'the queue is gone');
    return;
  }
  const met = submission.onConflict === 'refuse' ? findFirstMet(queue, submission.tasks) : null;
  if (met !== null) {
    sometimes.hit('submission refused for its key');
    for (const { id } of submission.tasks) shadow.refused.set(id, 'key unique');
    const isRight =
      answer.status === 'refused' && answer.index === met.index && answer.id === met.id;
    insist(isRight, 'key unique', () => `${jsonOf(answer)} where ${jsonOf(met)} was met`);
    return;
  }
  if (answer.status !== 'submitted') {
    throw new Violation('answer as promised', `submit: ${jsonOf(answer)}, with nothing in its way`);
  }
  expect(answer.tasks.length === submission.tasks.length, answer, 'one answer per task');
  for (const [index, task] of submission.tasks.entries()) {
    const { id, outcome } = add(shadow, queue, { task, onConflict: submission.onConflict }, now);
    const given = answer.tasks[index];
    insist(
      given?.id === id && given.outcome === outcome,
      'key unique',
      () => `task ${index} is ${jsonOf(given)}, should be ${outcome} ${id}`,
    );
  }
}

export function onEmission(shadow: Shadow, emission: Emission, now: number): void {
  const queue = findOpenQueue(shadow, emission.queueId);
  if (queue === null) {
    shadow.sometimes.hit('emission into a queue that is gone');
    shadow.refused.set(emission.task.id, 'emissions once');
    return;
  }
  const { outcome } = add(shadow, queue, emission, now);
  shadow.sometimes.hit(`emission ${outcome}`);
}

/** The first task that meets another, whether that was there before or comes in the same call. */
function findFirstMet(
  queue: ShadowQueue,
  tasks: readonly NewTask[],
): { index: number; id: string } | null {
  const keys = new Map<string, string>();
  const uniques = new Map<string, string>();
  for (const [index, task] of tasks.entries()) {
    const key = task.key && hexOf(task.key);
    const sameKey = key === null ? undefined : (findKeyed(queue, key)?.id ?? keys.get(key));
    // Ids are made by servers whose clocks differ: what comes in may be lower than what is there.
    const [lowest] = [findUnique(queue, task)?.id, uniques.get(task.unique?.key ?? '')]
      .filter((one) => one !== undefined)
      .sort();
    const id = sameKey ?? lowest;
    if (id !== undefined) return { index, id };
    if (key !== null) keys.set(key, task.id);
    if (task.unique) uniques.set(task.unique.key, task.id);
  }
  return null;
}

function findMet(queue: ShadowQueue, task: NewTask): ShadowTask | null {
  return (task.key && findKeyed(queue, hexOf(task.key))) ?? findUnique(queue, task);
}

function findKeyed(queue: ShadowQueue, key: string): ShadowTask | null {
  for (const task of queue.tasks) if (task.key === key) return task;
  return null;
}

function findUnique(queue: ShadowQueue, { unique }: NewTask): ShadowTask | null {
  let met: ShadowTask | null = null;
  if (unique === null) return null;
  for (const task of queue.tasks) {
    if (task.unique?.key !== unique.key) continue;
    const isInScope =
      unique.scope === 'forever' || (unique.scope === 'waiting' ? doesWait(task) : !hasEnded(task));
    if (isInScope && (met === null || task.id < met.id)) met = task;
  }
  return met;
}

function add(
  shadow: Shadow,
  queue: ShadowQueue,
  { task, onConflict }: { readonly task: NewTask; readonly onConflict: OnConflict },
  now: number,
): { id: string; outcome: 'created' | 'replaced' | 'skipped' } {
  const { sometimes } = shadow;
  const met = findMet(queue, task);
  if (met === null) {
    create(shadow, queue, task, now);
    return { id: task.id, outcome: 'created' };
  }
  shadow.refused.set(task.id, 'key unique');
  const isSameKey = task.key !== null && met.key === hexOf(task.key);
  if (!isSameKey) sometimes.hit('unique met');
  if (onConflict !== 'replace' || (!isSameKey && !doesWait(met))) {
    sometimes.hit('key skipped');
    return { id: met.id, outcome: 'skipped' };
  }
  const how = hasEnded(met) ? 'an ended' : doesWait(met) ? 'a waiting' : 'a live';
  sometimes.hit(`key replaced ${how} task`);
  replace(shadow, met, task, now);
  return { id: met.id, outcome: 'replaced' };
}

/** Adds a task as new; the caller need not have looked for others. */
export function create(shadow: Shadow, queue: ShadowQueue, task: NewTask, now: number): ShadowTask {
  insist(!shadow.tasks.has(task.id), 'key unique', () => `the id ${task.id} is given twice`);
  noteOrigin(shadow, task);
  const record: ShadowTask = {
    id: task.id,
    queue,
    key: task.key && hexOf(task.key),
    state: 'queued',
    hold: null,
    params: jsonOf(task.params),
    result: 'null',
    error: null,
    code: null,
    priority: task.priority,
    notBefore: startOf(task, now),
    rank: hexOf(task.rank),
    unique: task.unique,
    isExternal: task.external,
    live: null,
    ended: new Map(),
    fence: 0,
    claimCount: 0,
    tryCount: 0,
    lossCount: 0,
    roundCount: 0,
    lastOutcome: null,
    cancelRequestedAt: null,
    endedAt: null,
  };
  shadow.tasks.set(record.id, record);
  queue.tasks.add(record);
  queue.counts.set('queued', (queue.counts.get('queued') ?? 0) + 1);
  arrive(shadow, record, task, now);
  return record;
}

export function replace(shadow: Shadow, met: ShadowTask, task: NewTask, now: number): void {
  noteOrigin(shadow, task);
  shadow.touched.add(met);
  met.params = jsonOf(task.params);
  met.result = 'null';
  met.priority = task.priority;
  met.notBefore = startOf(task, now);
  if (!hasEnded(met)) {
    reconsiderWait(shadow, met, now);
    return;
  }
  met.isExternal = task.external;
  met.rank = hexOf(task.rank);
  met.unique = task.unique;
  met.error = null;
  met.code = null;
  met.cancelRequestedAt = null;
  met.claimCount = 0;
  met.tryCount = 0;
  met.lossCount = 0;
  met.roundCount = 0;
  met.fence += 1;
  arrive(shadow, met, task, now);
}

function arrive(shadow: Shadow, record: ShadowTask, task: NewTask, now: number): void {
  if (task.hold !== null) hold(shadow, record, task.hold);
  else goWait(shadow, record, now);
}

function startOf({ delayMs, notBefore }: NewTask, now: number): number | null {
  return delayMs !== null ? now + delayMs : msOf(notBefore);
}

/** Params of the simulation say where a task comes from: each origin has one effect at most. */
function noteOrigin(shadow: Shadow, { params }: NewTask): void {
  const origin = (params as { origin?: string } | null)?.origin;
  if (origin === undefined) return;
  insist(
    !shadow.origins.has(origin),
    origin.startsWith('emitted') ? 'emissions once' : 'one key, one effect',
    () => `${origin} came into effect twice`,
  );
  shadow.origins.add(origin);
}

function expect(holds: boolean, answer: unknown, why: string): void {
  insist(holds, 'answer as promised', () => `submit answered ${jsonOf(answer)}: ${why}`);
}
