import type { ArchivedQueue, ArchiveStore, OutputPut } from '../../core/store/index.ts';
import { listArchivedTasks } from './archive-reading.ts';
import { putTasks } from './archive-tasks.ts';
import { toByteas, toNumbers } from './array-literal.ts';
import { toStreamCode } from './codes.ts';
import { ensureNamespace } from './namespaces.ts';
import {
  HERE,
  KEPT,
  QUEUE_COLUMNS,
  type QueueRow,
  toEntry,
  toSettingsText,
} from './queue-entry.ts';
import type { Steps } from './steps.ts';
import { isIdHex } from './task-rows.ts';
import { TOKEN_COLUMNS, type TokenRow, toToken } from './token-store.ts';
import { fromHex, toHex } from './values.ts';
import type { Work } from './work.ts';

const QUEUES_SQL = `
  select ${QUEUE_COLUMNS} from queues q
  where q.namespace = $1 and q.fate < 2 and ($2::text is null or q.id > $2)
  order by q.id limit $3`;
const IS_THERE_SQL = 'select 1 from queues where id = $1';
const PUT_QUEUE_SQL = `
  insert into queues (id, namespace, name, fate, revision, next_continuous_at, created_at, updated_at,
    settings, external_node)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`;

// Locked against a deletion meanwhile.
const TASK_SQL = `
  select 1 from tasks t join queues q on q.row = t.queue and q.fate < 2
  where t.id = $1::bytea and q.namespace = $2 for share of t`;
const PUT_OUTPUT_SQL = `
  insert into outputs (task, fence, number, stream, "offset", at, bytes)
  select $1::bytea, $2, e.* from unnest($3::int4[], $4::int2[], $5::int8[], $6::int8[], $7::bytea[]) e
  on conflict do nothing`;

export function createArchiveStore(steps: Steps): ArchiveStore {
  const { database, nodes, recent, take } = steps;
  return {
    async listQueues(namespace, { after, limit }) {
      const rows = await database.look<QueueRow>(QUEUES_SQL, namespace, after, limit + 1);
      const page = rows.slice(0, limit).map(toEntry);
      return {
        items: page.map(({ queue, fate }) => ({ queue, isDeleted: fate === KEPT })),
        next: rows.length > limit ? (page.at(-1)?.queue.id ?? null) : null,
      };
    },

    listTasks: (query) => database.list((tx) => listArchivedTasks(tx, query)),

    async listTokens() {
      const sql = `select ${TOKEN_COLUMNS}, hash from tokens`;
      const rows = await database.look<TokenRow & { hash: string }>(sql);
      return rows
        .map(({ hash, ...row }) => ({ token: toToken(row), hash: fromHex(hash) }))
        .sort((a, b) => (a.token.name < b.token.name ? -1 : 1));
    },

    async putQueue(archived, step) {
      const externalNode = await nodes.ensure(archived.queue.namespace, '');
      const put = (work: Work) => putQueue(work, archived, externalNode);
      return take(step, put).finally(recent.forget);
    },

    putTasks: (put, step) => putTasks(steps, put, step),

    async putOutput(put, step) {
      if (!isIdHex(put.taskId)) return 'missing';
      return take(step, (work) => putOutput(work, put), { isRepeatable: true });
    },
  };
}

async function putQueue(
  { db, now }: Work,
  { queue, isDeleted }: ArchivedQueue,
  externalNode: number,
): Promise<'put' | 'there' | 'name-taken'> {
  const { id, namespace, name, revision, nextContinuousAt, createdAt, updatedAt } = queue;
  if (await db.get(IS_THERE_SQL, id)) return 'there';
  const added = await db.run(
    PUT_QUEUE_SQL,
    id,
    namespace,
    name,
    isDeleted ? KEPT : HERE,
    revision,
    nextContinuousAt?.getTime() ?? null,
    createdAt.getTime(),
    updatedAt.getTime(),
    toSettingsText(queue),
    externalNode,
  );
  if (added === 0) return (await db.get(IS_THERE_SQL, id)) ? 'there' : 'name-taken';
  await ensureNamespace(db, namespace, now);
  return 'put';
}

async function putOutput(
  { db }: Work,
  { namespace, taskId, fence, chunks }: OutputPut,
): Promise<'kept' | 'missing'> {
  const id = `\\x${taskId}`;
  if (!(await db.get(TASK_SQL, id, namespace))) return 'missing';
  await db.run(
    PUT_OUTPUT_SQL,
    id,
    fence,
    toNumbers(chunks.map(({ number }) => number)),
    toNumbers(chunks.map(({ stream }) => toStreamCode(stream))),
    toNumbers(chunks.map(({ offset }) => offset)),
    toNumbers(chunks.map(({ at }) => at.getTime())),
    toByteas(chunks.map(({ bytes }) => toHex(bytes))),
  );
  return 'kept';
}
