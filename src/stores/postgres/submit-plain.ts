/** Adds tasks that can meet no other: what single callers bring at the same time goes in one call. */
import type { Clock, NewTask, Submission, SubmitAnswer } from '../../core/store/index.ts';
import { toByteas, toNumbers, toTexts } from './array-literal.ts';
import type { Changes } from './changes.ts';
import { HELD_FOR_ADMISSION, toHoldCode } from './codes.ts';
import type { Database } from './database.ts';
import type { QueueCache } from './queue-cache.ts';
import type { QueueEntry } from './queue-entry.ts';
import { limitKeysFor } from './task-insert.ts';
import { toHex, toLabelsText, toParamsText, toRankHex } from './values.ts';

export const SUBMIT_PLAIN_SQL = `
  select submit_plain($1, $2::int4[], $3::int4[], $4::bytea[], $5::int4[], $6::float8[], $7::int8[],
    $8::int8[], $9::int2[], $10::int2[], $11::bytea[], $12::text[], $13::text[], $14::text[]) as "isDone"`;

export function isPlainTask({ key, unique, external }: NewTask): boolean {
  return key === null && unique === null && !external;
}

export interface PlainSubmitter {
  /** null: it could not be done this way, and nothing was. */
  submit(submission: Submission, now: number | null): Promise<SubmitAnswer | null>;
}

interface Waiting {
  readonly entry: QueueEntry;
  readonly tasks: readonly NewTask[];
  readonly now: number | null;
  readonly resolve: (answer: SubmitAnswer | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls under way at a time; what comes meanwhile goes together. */
const MOST_CALLS = 2;
const MOST_TOGETHER = 5000;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly queues: QueueCache;
  readonly changes: Changes;
}

export function createPlainSubmitter({ clock, database, queues, changes }: Parts): PlainSubmitter {
  let waiting: Waiting[] = [];
  let calls = 0;

  /** What waits with the same now, at most so much, but at least one. */
  function takeTogether(): Waiting[] {
    const now = waiting[0]?.now;
    let count = 0;
    const together: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const one of waiting) {
      const fits = together.length === 0 || count + one.tasks.length <= MOST_TOGETHER;
      if (one.now !== now || !fits) rest.push(one);
      else {
        together.push(one);
        count += one.tasks.length;
      }
    }
    waiting = rest;
    return together;
  }

  async function send(together: readonly Waiting[]): Promise<void> {
    try {
      const isDone = await write(together);
      if (!isDone) queues.forget(together.map(({ entry }) => entry.queue.id));
      else {
        const entries = new Set(together.map(({ entry }) => entry));
        changes.raise(
          [...entries].map(({ queue: { namespace, id: queueId } }) => ({
            kind: 'ready',
            namespace,
            queueId,
          })),
        );
      }
      for (const { tasks, resolve } of together) resolve(isDone ? toAnswer(tasks) : null);
    } catch (error) {
      // Each by itself then: a fault of one must not be all the others'.
      for (const { resolve, reject } of together) {
        if (together.length > 1 && !isUnavailable(error)) resolve(null);
        else reject(error);
      }
    }
  }

  async function write(together: readonly Waiting[]): Promise<boolean> {
    const entries = [...new Set(together.map(({ entry }) => entry))];
    const values = [
      together[0]?.now ?? null,
      toNumbers(entries.map(({ row }) => row)),
      toNumbers(entries.map(({ queue }) => queue.revision)),
      ...toColumns(together),
    ];
    const [answer] = await database.step<{ isDone: boolean }>(SUBMIT_PLAIN_SQL, values, false);
    return answer?.isDone ?? false;
  }

  function flush(): void {
    while (calls < MOST_CALLS && waiting.length > 0) {
      calls += 1;
      void send(takeTogether()).finally(() => {
        calls -= 1;
        void flushSoon();
      });
    }
  }

  /** After all who were answered together had their turn: they come back together. */
  async function flushSoon(): Promise<void> {
    await clock.turn();
    flush();
  }

  return {
    async submit({ queueId, tasks }, now) {
      const entry = (await queues.find([queueId])).get(queueId);
      if (!entry) return null;
      return new Promise((resolve, reject) => {
        waiting.push({ entry, tasks, now, resolve, reject });
        if (waiting.length === 1) void flushSoon();
      });
    },
  };
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'STORE_UNAVAILABLE';

function toAnswer(tasks: readonly NewTask[]): SubmitAnswer {
  return { status: 'submitted', tasks: tasks.map(({ id }) => ({ id, outcome: 'created' })) };
}

interface Columns {
  readonly id: string[];
  readonly queue: number[];
  readonly priority: number[];
  readonly notBefore: (number | null)[];
  readonly delay: (number | null)[];
  readonly hold: (number | null)[];
  readonly gate: (number | null)[];
  readonly rank: (string | null)[];
  readonly limitKeys: (string | null)[];
  readonly labels: (string | null)[];
  readonly params: string[];
}

/** What no task says is an empty list, which `unnest` fills up. */
function toColumns(together: readonly Waiting[]): string[] {
  const columns: Columns = {
    id: [],
    queue: [],
    priority: [],
    notBefore: [],
    delay: [],
    hold: [],
    gate: [],
    rank: [],
    limitKeys: [],
    labels: [],
    params: [],
  };
  for (const { entry, tasks } of together) {
    const gate = entry.queue.admission === 'gated' ? HELD_FOR_ADMISSION : null;
    for (const task of tasks) {
      const rank = task.rank.length === 12 && toHex(task.rank) === task.id;
      columns.id.push(task.id);
      columns.queue.push(entry.row);
      columns.priority.push(task.priority);
      columns.notBefore.push(task.notBefore?.getTime() ?? null);
      columns.delay.push(task.delayMs);
      columns.hold.push(task.hold && toHoldCode(task.hold));
      columns.gate.push(gate);
      columns.rank.push(rank ? null : toRankHex(task.rank));
      columns.limitKeys.push(limitKeysFor(entry, task));
      columns.labels.push(toLabelsText(task.labels));
      columns.params.push(toParamsText(task.params));
    }
  }
  const numbers = (values: (number | null)[]) => (values.some(Boolean) ? toNumbers(values) : '{}');
  const isNothing = (value: unknown): boolean => value === null;
  const given = (values: (number | null)[]) => (values.every(isNothing) ? '{}' : toNumbers(values));
  const texts = (values: (string | null)[]) => (values.every(isNothing) ? '{}' : toTexts(values));
  return [
    toByteas(columns.id),
    toNumbers(columns.queue),
    numbers(columns.priority),
    given(columns.notBefore),
    given(columns.delay),
    given(columns.hold),
    given(columns.gate),
    columns.rank.every(isNothing) ? '{}' : toByteas(columns.rank),
    texts(columns.limitKeys),
    texts(columns.labels),
    toTexts(columns.params),
  ];
}
