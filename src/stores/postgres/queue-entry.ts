import type { Queue, QueueSettings, TaskCounts } from '../../core/store/index.ts';
import { STATES } from './codes.ts';

export const HERE = 0;
export const KEPT = 1;
export const HIDDEN = 2;

/** A queue as it stood when it was read. */
export interface QueueEntry {
  readonly row: number;
  readonly queue: Queue;
  /** HERE, KEPT: deleted, its tasks are not; HIDDEN: deleted, and its tasks wait to be purged. */
  readonly fate: number;
  /** The node of its external tasks. */
  readonly externalNode: number;
}

export interface QueueRow {
  readonly row: number;
  readonly fate: number;
  readonly revision: number;
  readonly externalNode: number;
  readonly nextContinuousAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly settings: string;
}

export const QUEUE_COLUMNS = `
  q.row, q.fate, q.revision, q.external_node as "externalNode",
  q.next_continuous_at as "nextContinuousAt", q.created_at as "createdAt",
  q.updated_at as "updatedAt", q.id, q.namespace, q.name, q.settings`;

export function toEntry(row: QueueRow): QueueEntry {
  const { id, namespace, name, revision, nextContinuousAt, createdAt, updatedAt } = row;
  const queue: Queue = {
    ...(JSON.parse(row.settings) as QueueSettings),
    id,
    namespace,
    name,
    nextContinuousAt: nextContinuousAt === null ? null : new Date(nextContinuousAt),
    revision,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
  return { row: row.row, queue, fate: row.fate, externalNode: row.externalNode };
}

const NOT_SETTINGS = [
  'id',
  'namespace',
  'name',
  'nextContinuousAt',
  'revision',
  'createdAt',
  'updatedAt',
];

/** Only settings, even of a whole queue. */
export function toSettingsText(from: QueueSettings): string {
  const settings = Object.entries(from).filter(([name]) => !NOT_SETTINGS.includes(name));
  return JSON.stringify(Object.fromEntries(settings));
}

/** Sums over the shards, by number of state. */
export const COUNT_SUMS = STATES.map(
  (_, code) => `coalesce(sum(c.s${code}), 0)::int8 as s${code}`,
).join(', ');

export type CountRow = Readonly<Record<`s${number}`, number>>;

export function toCounts(row: CountRow): TaskCounts {
  return Object.fromEntries(
    STATES.map((state, code) => [state, row[`s${code}`] ?? 0]),
  ) as TaskCounts;
}
