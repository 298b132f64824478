/** Short ways to prepare a store and to read it back in full. */
import { expect } from 'vitest';
import {
  type Attempt,
  type Claim,
  type ClaimStep,
  type NewQueue,
  type NewTask,
  noCounts,
  type OnConflict,
  type Page,
  type Queue,
  type Store,
  type SubmitAnswer,
  type Task,
  type TaskCounts,
  type TaskQuery,
  type TaskState,
} from '../../../src/core/store/index.ts';
import { aClaim, aNewQueue, aNewTask, at, NOON } from '../../support/builders.ts';

export async function addQueue(
  store: Store,
  settings: Partial<NewQueue> = {},
  now = NOON,
): Promise<NewQueue> {
  const queue = aNewQueue(settings);
  expect(await store.queues.insert(queue, at(now))).toBe('inserted');
  return queue;
}

/** The queue as the store has it. */
export async function getQueue(store: Store, { namespace, name }: NewQueue): Promise<Queue> {
  const queue = await store.queues.find(namespace, name);
  if (!queue) throw new Error(`No queue "${name}"`);
  return queue;
}

/** Changes settings of a queue at the revision it has. */
export async function changeQueue(
  store: Store,
  queue: NewQueue,
  change: Partial<NewQueue>,
  now = NOON,
): Promise<void> {
  const { revision, ...settings } = await getQueue(store, queue);
  const update = { id: queue.id, revision, settings: { ...settings, ...change } };
  expect((await store.queues.update(update, at(now))).status).toBe('updated');
}

/** Submits and gives the ids as answered. */
export async function addTasks(
  store: Store,
  { id: queueId }: { id: string },
  tasks: readonly NewTask[],
  now = NOON,
): Promise<string[]> {
  const answer = await store.tasks.submit({ queueId, tasks, onConflict: 'refuse' }, at(now));
  if (answer.status !== 'submitted') throw new Error(`Not submitted: ${JSON.stringify(answer)}`);
  return answer.tasks.map(({ id }) => id);
}

/** Adds tasks whose tenants go round, with the tenant as a label too. */
export function addMany(
  store: Store,
  queue: { id: string },
  count: number,
  tenants: readonly string[] = [],
): Promise<string[]> {
  const tasks = Array.from({ length: count }, (_, index) => {
    const tenant = tenants[index % tenants.length] ?? null;
    return aNewTask({ params: { tenant }, labels: { key: tenant ?? '' } });
  });
  return addTasks(store, queue, tasks);
}

/** Submits and gives the whole answer. */
export function submit(
  store: Store,
  { id: queueId }: { id: string },
  tasks: readonly NewTask[],
  onConflict: OnConflict,
): Promise<SubmitAnswer> {
  return store.tasks.submit({ queueId, tasks, onConflict }, at(NOON));
}

export async function addTask(
  store: Store,
  queue: { id: string },
  task: Partial<NewTask> = {},
  now = NOON,
): Promise<string> {
  const [id = ''] = await addTasks(store, queue, [aNewTask(task)], now);
  return id;
}

/** One claim that must succeed. */
export async function claimOne(
  store: Store,
  { id: queueId }: { id: string },
  request: Partial<ClaimStep> = {},
  now = NOON,
): Promise<Claim> {
  const [claim] = await store.attempts.claim(aClaim({ queueId, ...request }), at(now));
  if (!claim) throw new Error('Nothing was claimed');
  return claim;
}

/** Adds a task and claims it. */
export async function addClaimed(
  store: Store,
  queue: { id: string },
  task: Partial<NewTask> = {},
  request: Partial<ClaimStep> = {},
): Promise<Claim> {
  const id = await addTask(store, queue, task);
  const claim = await claimOne(store, queue, request);
  expect(claim.taskId).toBe(id);
  return claim;
}

export async function getTask(store: Store, id: string, now = NOON): Promise<Task> {
  const [task] = await store.tasks.peek('default', [id]);
  const asOfNow = await store.tasks.find('default', id, at(now));
  if (!task || !asOfNow) throw new Error(`No task ${id}`);
  return asOfNow;
}

export async function stateOf(store: Store, id: string, now = NOON): Promise<TaskState | null> {
  return (await store.tasks.find('default', id, at(now)))?.state ?? null;
}

export function listAttempts(store: Store, taskId: string, now = NOON): Promise<Attempt[]> {
  return store.attempts.list('default', taskId, at(now));
}

export function aQuery(query: Partial<TaskQuery> = {}): TaskQuery {
  return { sort: 'id', direction: 'asc', after: null, limit: 100, ...query };
}

/** Follows `next` to the end; no page may be longer than was asked for. */
export async function walkPages<Item>(
  limit: number,
  list: (after: string | null) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | null = null, pages = 0; ; pages++) {
    const page: Page<Item> = await list(after);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.next === null) return items;
    expect(pages).toBeLessThan(10_000);
    after = page.next;
  }
}

export function listTasks(
  store: Store,
  query: Partial<TaskQuery> = {},
  { namespace = 'default', now = NOON } = {},
): Promise<Task[]> {
  const full = aQuery(query);
  return walkPages(full.limit, (after) =>
    store.tasks.list(namespace, { ...full, after: after ?? full.after }, at(now)),
  );
}

export async function countsOf(store: Store, queueId: string, now = NOON): Promise<TaskCounts> {
  const counts = await store.queues.counts(null, at(now));
  return counts.find((one) => one.queueId === queueId)?.counts ?? noCounts();
}

/** The counts of states that have any. */
export async function someCounts(
  store: Store,
  { id }: { id: string },
  now = NOON,
): Promise<Partial<TaskCounts>> {
  const counts = Object.entries(await countsOf(store, id, now));
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

/** That every counter the store keeps equals what a full listing gives. */
export async function expectExactCounts(store: Store, now = NOON): Promise<void> {
  const kept = await store.queues.counts(null, at(now));
  const namespaces = await store.namespaces.list();
  const tasks: Task[] = [];
  for (const { name } of namespaces) {
    tasks.push(...(await listTasks(store, { limit: 1000 }, { namespace: name, now })));
  }
  const recounted = kept.map((one) => {
    const counts = noCounts();
    for (const task of tasks) if (task.queueId === one.queueId) counts[task.state] += 1;
    return { ...one, counts };
  });
  expect(kept).toEqual(recounted);

  for (const { name: namespace } of namespaces) {
    const heads = await store.queues.heads(namespace, at(now));
    const same = kept.filter((one) => one.namespace === namespace);
    expect(heads.map(({ counts }) => counts)).toEqual(same.map(({ counts }) => counts));
    const nodes = await walkPages(100, (after) =>
      store.nodes.list(namespace, { after, limit: 100 }, at(now)),
    );
    for (const node of nodes) {
      const live = tasks.filter(
        (task) => task.namespace === namespace && task.attempt?.node === node.name,
      );
      expect([node.name, node.runningCount]).toEqual([node.name, live.length]);
    }
  }
}
