import type {
  AccessToken,
  ArchivedQueue,
  ArchiveStore,
  OutputPut,
  QueueSettings,
} from '../../core/store/index.ts';
import { listArchivedTasks } from './archive-reading.ts';
import { putTasks } from './archive-tasks.ts';
import { toStreamCode } from './codes.ts';
import { ensureNamespace } from './namespaces.ts';
import { APPEND_SQL } from './output-store.ts';
import { HERE, KEPT } from './queue-cache.ts';
import { toSettingsText } from './queue-update.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { findTask } from './task-rows.ts';
import { TOKEN_COLUMNS, type TokenRow, toToken } from './token-store.ts';

const PUT_QUEUE_SQL = `
  insert into queues (id, namespace, name, fate, revision, next_continuous_at, created_at, updated_at,
    settings)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?) returning row`;

export function createArchiveStore({ session, look, take }: Steps): ArchiveStore {
  const { db, queues } = session;
  return {
    listQueues: (namespace, { after, limit }) =>
      look(() => {
        const rest = queues
          .listReadable(namespace)
          .filter(({ queue }) => after === null || queue.id > after)
          .sort((a, b) => (a.queue.id < b.queue.id ? -1 : 1));
        const page = rest.slice(0, limit);
        return {
          items: page.map(({ queue, fate }) => ({ queue, isDeleted: fate === KEPT })),
          next: rest.length > limit ? (page.at(-1)?.queue.id ?? null) : null,
        };
      }),

    listTasks: (query) => look(() => listArchivedTasks(session, query)),

    listTokens: () =>
      look(() =>
        db
          .all<TokenRow & { hash: Uint8Array }>(`select ${TOKEN_COLUMNS}, hash from tokens`)
          .map(({ hash, ...row }): { token: AccessToken; hash: Uint8Array } => ({
            token: toToken(row),
            hash,
          }))
          .sort((a, b) => (a.token.name < b.token.name ? -1 : 1)),
      ),

    putQueue: (archived, step) => take(step, (now) => putQueue(session, archived, now)),

    putTasks: (put, step) => take(step, (now) => putTasks(session, put, now)),

    putOutput: (put, step) => take(step, () => putOutput(session, put)),
  };
}

function putQueue(session: Session, { queue, isDeleted }: ArchivedQueue, now: number) {
  const { db, queues } = session;
  const { id, namespace, name, revision, nextContinuousAt, createdAt, updatedAt } = queue;
  if (queues.isKnown(id)) return 'there';
  if (!isDeleted && queues.findByName(namespace, name)) return 'name-taken';
  ensureNamespace(session, namespace, now);
  const settings = toSettingsText(queue);
  const fate = isDeleted ? KEPT : HERE;
  const added = db.get<{ row: number }>(
    PUT_QUEUE_SQL,
    id,
    namespace,
    name,
    fate,
    revision,
    nextContinuousAt?.getTime() ?? null,
    createdAt.getTime(),
    updatedAt.getTime(),
    settings,
  );
  const own = { id, namespace, name, revision, nextContinuousAt, createdAt, updatedAt };
  queues.add(added?.row ?? 0, { ...(JSON.parse(settings) as QueueSettings), ...own }, fate);
  return 'put';
}

function putOutput(session: Session, { namespace, taskId, fence, chunks }: OutputPut) {
  const task = findTask(session, namespace, taskId);
  if (!task) return 'missing';
  for (const { number, stream, offset, at, bytes } of chunks) {
    const code = toStreamCode(stream);
    session.db.run(APPEND_SQL, task.row, fence, number, code, offset, at.getTime(), bytes);
  }
  return 'kept';
}
