/** Which tasks that are there new ones meet: by key, or within the scope of `unique`. */
import { isFinal, type NewTask } from '../../core/store/index.ts';
import { toHex } from './new-record.ts';
import { toRecords } from './queue-lookup.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Space } from './spaces.ts';
import type { TaskDocument } from './task-document.ts';
import type { TaskRecord } from './task-record.ts';
import { toStoredText } from './texts.ts';
import { isWaiting } from './transitions.ts';

export function meetsOthers({ key, unique }: NewTask): boolean {
  return key !== null || unique !== null;
}

/** The tasks of a queue that a call may meet, its own included as they come. */
export interface Meeting {
  readonly all: ReadonlyMap<string, TaskRecord>;
  find(task: NewTask): TaskRecord | null;
  add(record: TaskRecord): void;
}

const MOST_VALUES = 1000;

export async function readMeeting(
  space: Space,
  queue: QueueRecord,
  tasks: readonly NewTask[],
): Promise<Meeting> {
  const keys = tasks.flatMap(({ key }) => (key === null ? [] : [toHex(key)]));
  const uniques = tasks.flatMap(({ unique }) => (unique ? [toStoredText(unique.key)] : []));
  const documents: TaskDocument[] = [];
  for (const [field, values] of [
    ['batchyard.key', [...new Set(keys)]],
    ['batchyard.unique.key', [...new Set(uniques)]],
  ] as const) {
    for (let at = 0; at < values.length; at += MOST_VALUES) {
      const some = {
        queue: queue.documentId,
        [field]: { $in: values.slice(at, at + MOST_VALUES) },
      };
      documents.push(...(await space.tasks.find(some as object).toArray()));
    }
  }
  const records = await toRecords(space, documents, new Map([[queue.id, queue]]));
  return createMeeting(records);
}

function createMeeting(records: readonly TaskRecord[]): Meeting {
  const all = new Map<string, TaskRecord>();
  const byKey = new Map<string, TaskRecord>();

  function add(record: TaskRecord): void {
    if (all.has(record.id)) return;
    all.set(record.id, record);
    if (record.key !== null) byKey.set(record.key, record);
  }
  for (const record of records) add(record);

  return {
    all,
    add,
    find({ key, unique }) {
      const sameKey = key && byKey.get(toHex(key));
      if (sameKey) return sameKey;
      if (!unique) return null;
      const isInScope = ({ state }: TaskRecord): boolean => {
        if (unique.scope === 'waiting') return isWaiting(state);
        return unique.scope === 'forever' || !isFinal(state);
      };
      let met: TaskRecord | null = null;
      for (const one of all.values()) {
        if (one.unique?.key !== unique.key || !isInScope(one)) continue;
        if (met === null || one.id < met.id) met = one;
      }
      return met;
    },
  };
}
