import {
  type ArchivedTask,
  type Attempt,
  BatchError,
  isLive,
  type PutAnswer,
  type Step,
  type TaskPut,
  toKeyBytes,
} from '../../core/store/index.ts';
import { toByteas, toNumbers, toTexts } from './array-literal.ts';
import { QUEUED, toHoldCode, toOutcomeCode, toStateCode } from './codes.ts';
import { fromLimitKeys } from './keyed-limits.ts';
import { lockKeys } from './locks.ts';
import type { QueueEntry } from './queue-entry.ts';
import type { TaskRow } from './rows.ts';
import type { Steps } from './steps.ts';
import { SAME_KEY_SQL } from './task-conflict.ts';
import { limitKeysFor } from './task-insert.ts';
import { isIdHex, lockQueues } from './task-rows.ts';
import { enqueue, tellReady } from './transitions.ts';
import {
  toHex,
  toLabelsText,
  toParamsText,
  toQuoted,
  toRankHex,
  toText,
  toUniqueText,
} from './values.ts';
import { countMove, type Work } from './work.ts';

const QUEUE_ROW_SQL = 'select row from queues where id = $1 and namespace = $2';
const THERE_SQL = `
  select e.id from unnest($1::bytea[]) e(id)
  where exists (select 1 from tasks t where t.id = e.id)`;
const PUT_ATTEMPTS_SQL = `
  insert into attempts (task, fence, node, claimed_at, started_at, expires_at, ended_at, outcome,
    code, late_outcome, late_at, error, data, late_data)
  select * from unnest($1::bytea[], $2::int4[], $3::int4[], $4::int8[], $5::int8[], $6::int8[],
    $7::int8[], $8::int2[], $9::int8[], $10::int2[], $11::int8[], $12::text[], $13::text[],
    $14::text[])`;
const PUT_STARTS_SQL = `
  insert into limit_starts (queue, name, key, at, until)
  select $1::int4, e.* from unnest($2::text[], $3::text[], $4::int8[], $5::int8[]) e`;

export async function putTasks(
  { nodes, take }: Steps,
  { namespace, queueId, tasks }: TaskPut,
  step: Step,
): Promise<readonly PutAnswer[] | 'missing-queue'> {
  checkTasks(tasks);
  const names = new Set(tasks.flatMap(({ attempts }) => attempts.map(({ node }) => node)));
  const nodeRows = new Map<string, number>();
  for (const name of names) nodeRows.set(name, await nodes.ensure(namespace, name));

  return take(step, async (work) => {
    const { db } = work;
    const place = await db.get<{ row: number }>(QUEUE_ROW_SQL, queueId, namespace);
    if (!place) return 'missing-queue';
    const words = tasks.flatMap((one) => [one.task.id, keyOf(one), uniqueOf(one)]);
    const keys = words.filter((key) => key !== null).map((key) => ({ queue: place.row, key }));
    await lockKeys(db, keys);
    const entry = (await lockQueues(work, [queueId])).get(queueId);
    if (!entry) return 'missing-queue';
    const answers = await judge(work, entry, tasks);
    const put = tasks.filter((_, at) => answers[at] === 'put');
    for (const one of put) addTask(work, entry, one);
    const attempts = put.flatMap((one) => one.attempts);
    await addAttempts(work, attempts, nodeRows);
    await addStarts(work, entry, put);
    return answers;
  });
}

function checkTasks(tasks: readonly ArchivedTask[]): void {
  for (const { task, attempts } of tasks) {
    if (isLive(task.state)) throw new Error(`Task ${task.id} is ${task.state}: it cannot be put.`);
    const open = attempts.find(({ endedAt, outcome }) => endedAt === null || outcome === null);
    if (open) throw new Error(`Attempt ${open.fence} of task ${task.id} has not ended.`);
    if (isIdHex(task.id)) continue;
    throw new BatchError('INVALID_REQUEST', {
      field: `task ${task.id}`,
      problem: 'PostgreSQL holds tasks whose ids are hex digits',
      remedy: 'Delete it in the store it is in, or copy to MongoDB',
    });
  }
}

const keyOf = ({ task }: ArchivedTask): string | null =>
  task.key === null ? null : toHex(toKeyBytes(task.key));
const uniqueOf = ({ uniqueKey }: ArchivedTask): string | null =>
  uniqueKey === null ? null : toUniqueText(uniqueKey);

/** Their keys must be locked. The same id or key twice: the later one meets the earlier. */
async function judge(
  { db }: Work,
  { row }: QueueEntry,
  tasks: readonly ArchivedTask[],
): Promise<PutAnswer[]> {
  const ids = toByteas(tasks.map(({ task }) => task.id));
  const there = new Set((await db.all<{ id: string }>(THERE_SQL, ids)).map(({ id }) => id));
  const keys = tasks.map(keyOf).filter((key) => key !== null);
  const rows = toNumbers(keys.map(() => row));
  const taken =
    keys.length === 0 ? [] : await db.all<{ key: string }>(SAME_KEY_SQL, rows, toByteas(keys));
  const takenKeys = new Set(taken.map(({ key }) => key));
  return tasks.map((one) => {
    if (there.has(one.task.id)) return 'there';
    const key = keyOf(one);
    if (key !== null && takenKeys.has(key)) return 'key-taken';
    there.add(one.task.id);
    if (key !== null) takenKeys.add(key);
    return 'put';
  });
}

function addTask(work: Work, entry: QueueEntry, archived: ArchivedTask): void {
  const row = toRow(entry, archived);
  work.tasks.set(row.id, row);
  work.added.add(row);
  countMove(work, entry.row, null, row.state);
  if (row.state !== QUEUED) return;
  if (row.external) enqueue(work, row);
  else tellReady(work, row);
}

function toRow(entry: QueueEntry, archived: ArchivedTask): TaskRow {
  const { task, rank } = archived;
  const { id, fence, claimCount, tryCount, lossCount, roundCount, external, code, priority } = task;
  return {
    ...{ id, fence, claimCount, tryCount, lossCount, roundCount, external, code, priority },
    queue: entry.row,
    state: toStateCode(task.state),
    hold: task.hold && toHoldCode(task.hold),
    node: null,
    claim: null,
    claimedAt: null,
    startedAt: null,
    expiresAt: null,
    notBefore: task.notBefore?.getTime() ?? null,
    lastOutcome: task.lastOutcome && toOutcomeCode(task.lastOutcome),
    cancelRequestedAt: task.cancelRequestedAt?.getTime() ?? null,
    createdAt: task.createdAt.getTime(),
    updatedAt: task.updatedAt.getTime(),
    endedAt: task.endedAt?.getTime() ?? null,
    rank: toRankHex(rank),
    key: keyOf(archived),
    uniqueKey: uniqueOf(archived),
    limitKeys: limitKeysFor(entry, task),
    labels: toLabelsText(task.labels),
    error: task.error === null ? null : toQuoted(task.error),
    params: toParamsText(task.params),
    result: toText(task.result),
  };
}

async function addAttempts(
  { db }: Work,
  attempts: readonly Attempt[],
  nodes: ReadonlyMap<string, number>,
): Promise<void> {
  if (attempts.length === 0) return;
  const numbers = (of: (attempt: Attempt) => number | null): string => toNumbers(attempts.map(of));
  const texts = (of: (attempt: Attempt) => string | null): string => toTexts(attempts.map(of));
  await db.run(
    PUT_ATTEMPTS_SQL,
    toByteas(attempts.map(({ taskId }) => taskId)),
    numbers(({ fence }) => fence),
    numbers(({ node }) => nodes.get(node) ?? null),
    numbers(({ claimedAt }) => claimedAt.getTime()),
    numbers(({ startedAt }) => startedAt?.getTime() ?? null),
    numbers(({ expiresAt }) => expiresAt?.getTime() ?? null),
    numbers(({ endedAt }) => endedAt?.getTime() ?? null),
    numbers(({ outcome }) => outcome && toOutcomeCode(outcome)),
    numbers(({ code }) => code),
    numbers(({ late }) => late && toOutcomeCode(late.outcome)),
    numbers(({ late }) => late?.at.getTime() ?? null),
    texts(({ error }) => (error === null ? null : toQuoted(error))),
    texts(({ data }) => toText(data)),
    texts(({ late }) => toText(late?.data)),
  );
}

/** Claims that still count towards a rate. */
async function addStarts(
  { db, now }: Work,
  entry: QueueEntry,
  tasks: readonly ArchivedTask[],
): Promise<void> {
  const starts = tasks.flatMap(({ task, attempts }) => {
    const keys = fromLimitKeys(limitKeysFor(entry, task));
    return attempts.flatMap(({ claimedAt }) =>
      entry.queue.limits.flatMap(({ name, perMs }, slot) => {
        const at = claimedAt.getTime();
        if (perMs === null || at + perMs <= now) return [];
        return [{ name: toQuoted(name), key: keys[slot] ?? '', at, until: at + perMs }];
      }),
    );
  });
  if (starts.length === 0) return;
  await db.run(
    PUT_STARTS_SQL,
    entry.row,
    toTexts(starts.map(({ name }) => name)),
    toTexts(starts.map(({ key }) => key)),
    toNumbers(starts.map(({ at }) => at)),
    toNumbers(starts.map(({ until }) => until)),
  );
}
