import { toTexts } from './array-literal.ts';
import type { Database } from './database.ts';
import { HERE, QUEUE_COLUMNS, type QueueEntry, type QueueRow, toEntry } from './queue-entry.ts';

/**
 * Definitions of queues as they were last seen here. They may be old: who works by one has its
 * revision checked by the server, and forgets it here when that was another.
 */
export interface QueueCache {
  /** What is known of queues that are there, by id; those that are unknown are read. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, QueueEntry>>;
  findByRow(row: number): QueueEntry | null;
  /** A row that was just read, made an entry, or the entry it was made before. */
  note(row: QueueRow): QueueEntry;
  forget(ids: readonly string[]): void;
}

const FIND_SQL = `select ${QUEUE_COLUMNS} from queues q where q.id = any($1::text[])`;
const MOST_KNOWN = 20_000;

export function createQueueCache(database: Database): QueueCache {
  const byId = new Map<string, QueueEntry>();
  const byRow = new Map<number, QueueEntry>();

  function note(row: QueueRow): QueueEntry {
    const known = byRow.get(row.row);
    if (known && isSame(known, row)) return known;
    if (byRow.size >= MOST_KNOWN) for (const map of [byId, byRow]) map.clear();
    const entry = toEntry(row);
    byId.set(entry.queue.id, entry);
    byRow.set(entry.row, entry);
    return entry;
  }

  return {
    note,
    findByRow: (row) => byRow.get(row) ?? null,
    async find(ids) {
      const unknown = [...new Set(ids)].filter((id) => !byId.has(id));
      if (unknown.length > 0) {
        for (const row of await database.look<QueueRow>(FIND_SQL, toTexts(unknown))) note(row);
      }
      const entries = ids.map((id) => byId.get(id)).filter((entry) => entry?.fate === HERE);
      return new Map(entries.map((entry) => [(entry as QueueEntry).queue.id, entry as QueueEntry]));
    },
    forget(ids) {
      for (const id of ids) {
        const entry = byId.get(id);
        byId.delete(id);
        if (entry) byRow.delete(entry.row);
      }
    },
  };
}

function isSame({ queue, fate }: QueueEntry, row: QueueRow): boolean {
  const nextContinuousAt = queue.nextContinuousAt?.getTime() ?? null;
  return (
    queue.revision === row.revision &&
    fate === row.fate &&
    nextContinuousAt === row.nextContinuousAt
  );
}
