import type { QueueHead, Step } from '../../core/store/index.ts';
import { IS_DUE, rollSome } from './due.ts';
import {
  COUNT_SUMS,
  type CountRow,
  QUEUE_COLUMNS,
  type QueueRow,
  toCounts,
} from './queue-entry.ts';
import { msOf, type Steps } from './steps.ts';

type HeadRow = QueueRow & CountRow & { readonly isDue: boolean };

/** Of queues that are there, of one namespace or of all. */
export const HEADS_SQL = `
  select ${QUEUE_COLUMNS}, c.*, due.is_due as "isDue" from queues q
  cross join (
    select ${IS_DUE('moment.now')} as is_due
    from (select coalesce($2::int8, now_ms()) as now offset 0) moment offset 0) due
  cross join lateral (select ${COUNT_SUMS} from task_counts c where c.queue = q.row) c
  where q.fate = 0 and ($1::text is null or q.namespace = $1)`;

const MOST_PER_STEP = 1000;

/** Every queue with its counts as of now, in no order. */
export async function readHeads(
  steps: Steps,
  namespace: string | null,
  step: Step,
): Promise<QueueHead[]> {
  const read = () => steps.database.look<HeadRow>(HEADS_SQL, namespace, msOf(step));
  let rows = await read();
  if (rows[0]?.isDue) {
    await rollSome(steps, step, MOST_PER_STEP);
    rows = await read();
  }
  return rows.map((row) => ({ queue: steps.queues.note(row).queue, counts: toCounts(row) }));
}

interface Known {
  readonly heads: Promise<readonly QueueHead[]>;
  readonly readAtMs: number;
  readonly version: number;
}

const LONGEST_KEPT_MS = 100;

export type QueueHeads = (namespace: string, step: Step) => Promise<readonly QueueHead[]>;

/** Heads by name: those read last, until something changes here, or is heard to, or they are too old. */
export function createQueueHeads(steps: Steps): QueueHeads {
  const { database, clock, changes } = steps;
  const versionNow = (): number => database.writeCount() + changes.heardCount();
  const known = new Map<string, Known>();

  async function read(namespace: string, step: Step): Promise<readonly QueueHead[]> {
    const heads = await readHeads(steps, namespace, step);
    return heads.sort((a, b) => (a.queue.name < b.queue.name ? -1 : 1));
  }

  return (namespace, step) => {
    if (step.now !== null) return read(namespace, step);
    const last = known.get(namespace);
    const now = clock.monotonicMs();
    const isFresh = last && now - last.readAtMs < LONGEST_KEPT_MS;
    if (isFresh && last.version === versionNow()) return last.heads;
    const heads = read(namespace, step);
    known.set(namespace, { heads, readAtMs: now, version: versionNow() });
    heads.catch(() => known.delete(namespace));
    return heads;
  };
}
