import type { Filter } from 'mongodb';
import type { Page, Task, TaskFilter, TaskQuery } from '../../core/store/index.ts';
import { hiddenQueueIds } from './hidden-queues.ts';
import { toDocumentId } from './ids.ts';
import { toHex } from './new-record.ts';
import { toRecords } from './queue-lookup.ts';
import type { Space } from './spaces.ts';
import { LIVE, statusFilter } from './status-codes.ts';
import type { TaskDocument } from './task-document.ts';
import { type TaskRecord, toTask } from './task-record.ts';
import { toStoredLabels } from './texts.ts';

/** How many documents one call looks at when it searches for text, and how many at a time. */
const MOST_LOOKED_AT = 5000;
const LOOKED_AT_ONCE = 200;

export async function listTasks(space: Space, query: TaskQuery): Promise<Page<Task>> {
  const { limit, search, sort, direction } = query;
  const field = sort === 'id' ? '_id' : 'batchyard.key';
  const most = search === undefined ? limit + 1 : MOST_LOOKED_AT;
  const documents = space.tasks
    .find(await toFilter(space, query))
    .sort({ [field]: direction === 'asc' ? 1 : -1 })
    .limit(most);
  const items: Task[] = [];
  let last: string | null = null;
  let lookedAt = 0;
  for await (const records of recordsOf(space, documents)) {
    for (const record of records) {
      lookedAt += 1;
      const isMatch = search === undefined || mentions(record, search);
      if (isMatch && items.length === limit) return { items, next: last };
      if (isMatch) items.push(toTask(record));
      last = cursorOf(record, sort);
    }
  }
  return { items, next: search !== undefined && lookedAt === most ? last : null };
}

async function* recordsOf(
  space: Space,
  documents: AsyncIterable<TaskDocument>,
): AsyncGenerator<TaskRecord[]> {
  let some: TaskDocument[] = [];
  for await (const document of documents) {
    some.push(document);
    if (some.length < LOOKED_AT_ONCE) continue;
    yield await toRecords(space, some);
    some = [];
  }
  if (some.length > 0) yield await toRecords(space, some);
}

function cursorOf({ id, key }: TaskRecord, sort: TaskQuery['sort']): string {
  return sort === 'id' ? id : (key ?? '');
}

async function toFilter(space: Space, query: TaskQuery): Promise<Filter<TaskDocument>> {
  const { after, sort, direction } = query;
  const all: object[] = filtersOf(query);
  const hidden = await hiddenQueueIds(space);
  if (hidden.length > 0) all.push({ queue: { $nin: hidden } });
  if (sort === 'key') all.push({ 'batchyard.key': { $exists: true } });
  if (after !== null) {
    const beyond = direction === 'asc' ? '$gt' : '$lt';
    const [field, value] = sort === 'id' ? ['_id', toDocumentId(after)] : ['batchyard.key', after];
    all.push({ [field as string]: { [beyond]: value } });
  }
  return all.length === 0 ? {} : { $and: all };
}

/** All but the search for text, which is done on what these find. */
function filtersOf(filter: TaskFilter): object[] {
  const { queueIds, states, ids, keys, labels, node, hold, createdAfter, createdBefore } = filter;
  const all: object[] = [];
  if (queueIds) all.push({ queue: { $in: queueIds.map(toDocumentId) } });
  if (states) all.push(statusFilter(states));
  if (ids) all.push({ _id: { $in: ids.map(toDocumentId) } });
  if (keys) all.push({ 'batchyard.key': { $in: keys.map(toHex) } });
  for (const label of toStoredLabels(labels ?? {})) all.push({ 'batchyard.labels': label });
  if (node !== undefined) all.push({ node, status: { $in: LIVE } });
  if (hold !== undefined) all.push(holdFilter(hold));
  if (createdAfter) all.push({ ctime: { $gt: createdAfter } });
  if (createdBefore) all.push({ ctime: { $lt: createdBefore } });
  return all;
}

/** A task that another program holds, by a number of its own, is the operator's. */
function holdFilter(hold: string): object {
  const held = statusFilter(['held']);
  const reason = hold === 'operator' ? { $in: [hold, null] } : hold;
  return { $and: [held, { 'batchyard.hold': reason }] };
}

function mentions({ key, error, params }: TaskRecord, text: string): boolean {
  const bytes = Buffer.from(key ?? '', 'hex');
  return (
    (key !== null && bytes.includes(Buffer.from(text, 'utf8'))) ||
    error?.includes(text) === true ||
    JSON.stringify(params).includes(text)
  );
}
