/** Documents of `queues`, whoever wrote them, and the queues they stand for. */
import type { QueueSettings } from '../../core/store/index.ts';
import { type DocumentId, fromDocumentId } from './ids.ts';
import type { QueueRecord } from './queue-record.ts';

export interface QueueDocument {
  readonly _id: DocumentId;
  readonly name?: string;
  readonly plugin?: string | null;
  /** Often a text of digits; null means none at all, unless we say otherwise. */
  readonly threads?: number | string | null;
  readonly sort?: string | null;
  /** DEN 1.1's names for plugin, the limit on each node, and the rules for nodes. */
  readonly class?: string;
  readonly maxthreads?: number | string | null;
  readonly nodes_pin?: readonly string[];
  readonly nodes_ignore?: readonly string[];
  readonly ctime?: Date;
  readonly batchyard?: QueueExtension;
}

export interface QueueExtension {
  /** All settings as JSON text. Disbatch's fields go first where they say something else. */
  readonly settings?: string;
  /** `threads` null stands for no limit. */
  readonly unlimited?: true;
  readonly revision?: number;
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
  readonly nextContinuousAt?: Date;
  /** Gone, and what becomes of its tasks; its name is kept here, for it is free. */
  readonly gone?: 'keep' | 'delete';
  readonly name?: string;
  /** What of its tasks is still to be changed after a change of settings. */
  readonly pending?: readonly TaskUpheaval[];
  readonly pendingAt?: Date;
}

/** Ranks anew, keys for limits anew, and tasks that need no admission any more. */
export type TaskUpheaval = 'rank' | 'limit' | 'open';

/** Of a queue that Disbatch made: one try, lost tasks are parked, nothing is ever deleted. */
const FOREIGN: QueueSettings = {
  handler: null,
  program: null,
  runtime: '',
  priority: 0,
  weight: 20,
  paused: false,
  order: 'fifo',
  maxRunning: null,
  maxRunningPerNode: null,
  limits: [],
  maxPerClaim: null,
  nodesOnly: null,
  nodesNot: [],
  maxAttempts: 1,
  retry: { baseMs: 1000, factor: 2, maxMs: 3_600_000 },
  maxClaims: null,
  maxRunMs: null,
  leaseMs: 30_000,
  onLost: 'park',
  maxLosses: null,
  admission: 'open',
  continuous: false,
  canBeContinuous: false,
  intervalMs: 0,
  nextQueue: null,
  retention: { succeededMs: null, failedMs: null },
  maxOutputBytes: 16 * 1024 * 1024,
  data: null,
};
const SETTING_NAMES = Object.keys(FOREIGN) as (keyof QueueSettings)[];

function isOldShape({ plugin, class: klass }: QueueDocument): boolean {
  return klass !== undefined && plugin === undefined;
}

export function fromQueueDocument(document: QueueDocument, namespace: string): QueueRecord {
  const { _id, batchyard } = document;
  const createdAt = batchyard?.createdAt ?? document.ctime ?? idTime(_id);
  return {
    id: fromDocumentId(_id),
    documentId: _id,
    namespace,
    name: batchyard?.name ?? document.name ?? fromDocumentId(_id),
    settings: settingsOf(document),
    nextContinuousAt: batchyard?.nextContinuousAt?.getTime() ?? null,
    revision: batchyard?.revision ?? 1,
    createdAt: createdAt.getTime(),
    updatedAt: (batchyard?.updatedAt ?? createdAt).getTime(),
    gone: batchyard?.gone ?? null,
  };
}

function idTime(id: DocumentId): Date {
  return typeof id === 'string' ? new Date(0) : id.getTimestamp();
}

function settingsOf(document: QueueDocument): QueueSettings {
  const { batchyard, plugin, sort, class: klass } = document;
  const own: QueueSettings = batchyard?.settings ? JSON.parse(batchyard.settings) : FOREIGN;
  if (isOldShape(document)) {
    const { nodes_pin: pin, nodes_ignore: ignore } = document;
    return {
      ...own,
      handler: klass ?? null,
      maxRunningPerNode: toLimit(document.maxthreads),
      nodesOnly: pin === undefined ? own.nodesOnly : [...pin],
      nodesNot: pin === undefined && ignore !== undefined ? [...ignore] : own.nodesNot,
    };
  }
  return {
    ...own,
    handler: plugin === undefined ? own.handler : plugin,
    maxRunning: batchyard?.unlimited ? toLimit(document.threads) : (toLimit(document.threads) ?? 0),
    order: sort === 'fifo' || sort === 'lifo' ? sort : own.order,
  };
}

function toLimit(threads: number | string | null | undefined): number | null {
  const count = Number(threads ?? Number.NaN);
  return Number.isFinite(count) ? count : null;
}

/** The fields that stand for these settings, in the shape the document has. */
export function settingFields(
  settings: QueueSettings,
  before: QueueDocument | null,
): Record<string, unknown> {
  const own = Object.fromEntries(SETTING_NAMES.map((name) => [name, settings[name]]));
  const text = { 'batchyard.settings': JSON.stringify(own) };
  if (before && isOldShape(before)) {
    const pin = before.nodes_pin !== undefined || settings.nodesOnly !== null;
    const ignore = before.nodes_ignore !== undefined || settings.nodesNot.length > 0;
    return {
      ...text,
      class: settings.handler ?? before.class,
      maxthreads: settings.maxRunningPerNode,
      ...(pin && { nodes_pin: settings.nodesOnly ?? undefined }),
      ...(ignore && { nodes_ignore: settings.nodesNot }),
    };
  }
  const wasAs = before === null ? null : settingsOf(before);
  // What Disbatch wrote, a text of digits say, stays as it wrote it while it says the same.
  const isSameLimit = wasAs !== null && wasAs.maxRunning === settings.maxRunning;
  const isSameOrder = wasAs !== null && wasAs.order === settings.order;
  return {
    ...text,
    plugin: settings.handler,
    threads: isSameLimit ? before?.threads : settings.maxRunning,
    sort: isSameOrder ? before?.sort : settings.order === 'key' ? 'default' : settings.order,
    'batchyard.unlimited': settings.maxRunning === null ? true : undefined,
  };
}
