import type { Queue, QueueStore } from '../../core/store/index.ts';
import { admitTasks } from './admission.ts';
import { toTexts } from './array-literal.ts';
import { rollDue } from './due.ts';
import { createGatherer } from './gatherer.ts';
import { ensureNamespace } from './namespaces.ts';
import { deleteQueue, purgeHidden } from './queue-delete.ts';
import { QUEUE_COLUMNS, type QueueRow, toSettingsText } from './queue-entry.ts';
import { createQueueHeads, readHeads } from './queue-heads.ts';
import { updateQueue } from './queue-update.ts';
import { type QueueName, toWord } from './recent-queues.ts';
import type { Steps } from './steps.ts';

const INSERT_SQL = `
  insert into queues (id, namespace, name, created_at, updated_at, settings, external_node)
  values ($1, $2, $3, $4, $4, $5, $6) on conflict (namespace, name) where fate = 0 do nothing`;
const FIND_SQL = `
  select q.* from unnest($1::text[], $2::text[]) e(namespace, name) cross join lateral (
    select ${QUEUE_COLUMNS} from queues q
    where q.namespace = e.namespace and q.name = e.name and q.fate = 0 limit 1) q`;
const LIST_SQL = `select ${QUEUE_COLUMNS} from queues q where q.namespace = $1 and q.fate = 0`;

export function createQueueStore(steps: Steps): QueueStore {
  const { database, nodes, take, mutate } = steps;
  const findQueue = createGatherer(steps.clock, findQueues);
  const heads = createQueueHeads(steps);
  const { recent: names } = steps;

  /** By namespace and name, each of which stands once. */
  async function findQueues(asked: readonly QueueName[]): Promise<(Queue | null)[]> {
    const each = [...new Map(asked.map((one) => [toWord(one), one])).values()];
    const version = names.version();
    const rows = await database.look<QueueRow>(
      FIND_SQL,
      toTexts(each.map(({ namespace }) => namespace)),
      toTexts(each.map(({ name }) => name)),
    );
    const found = new Map(rows.map((row) => [toWord(row), steps.queues.note(row).queue]));
    names.note(found.values(), version);
    return asked.map((one) => found.get(toWord(one)) ?? null);
  }

  return {
    async insert(queue, step) {
      const { id, namespace, name } = queue;
      const externalNode = await nodes.ensure(namespace, '');
      return mutate(step, async ({ db, now }) => {
        await ensureNamespace(db, namespace, now);
        const settings = toSettingsText(queue);
        const values = [id, namespace, name, now, settings, externalNode];
        return (await db.run(INSERT_SQL, ...values)) === 1 ? 'inserted' : 'exists';
      });
    },

    async find(namespace, name, { maxAgeMs } = { maxAgeMs: 0 }) {
      const recent = maxAgeMs > 0 ? names.find({ namespace, name }, maxAgeMs) : null;
      return recent ?? findQueue({ namespace, name });
    },

    async list(namespace, { after, limit }) {
      const rows = await database.look<QueueRow>(LIST_SQL, namespace);
      const rest = rows
        .filter(({ name }) => after === null || name > after)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const items: Queue[] = rest.slice(0, limit).map((row) => steps.queues.note(row).queue);
      return { items, next: rest.length > limit ? (items.at(-1)?.name ?? null) : null };
    },

    update: (change, step) =>
      mutate(step, (work) => updateQueue(work, change)).finally(names.forget),

    delete: (deletion, step) =>
      mutate(step, (work) => deleteQueue(work, deletion)).finally(names.forget),

    purge: (step) => take(step, (work) => purgeHidden(work, step.limit)),

    heads,

    async counts(wanted, step) {
      const all = await readHeads(steps, wanted, step);
      return all
        .map(({ queue: { namespace, id: queueId, name: queue }, counts }) => ({
          namespace,
          queueId,
          queue,
          counts,
        }))
        .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.queue, b.queue));
    },

    async admit(admission, step) {
      await rollDue(steps, step);
      return mutate(step, (work) => admitTasks(work, admission));
    },
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
