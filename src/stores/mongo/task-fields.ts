/** From records to fields of documents: what is new goes in whole, what changed as an update. */
import { isFinal, isLive } from '../../core/store/index.ts';
import { toDocumentId } from './ids.ts';
import { orderOf } from './place.ts';
import { fromStatus, toStatus } from './status-codes.ts';
import type { EndedDocument, TaskDocument, TaskExtension } from './task-document.ts';
import type { EndedRecord, TaskRecord } from './task-record.ts';
import { isPlainBson, toStoredLabels, toStoredText } from './texts.ts';

const date = (ms: number | null): Date | undefined => (ms === null ? undefined : new Date(ms));
const some = (count: number): number | undefined => (count === 0 ? undefined : count);

/** Our part, without what is as in a fresh task. `ended` is written by itself. */
function extensionOf(task: TaskRecord): Omit<TaskExtension, 'write' | 'before' | 'ended'> {
  const { live, unique, code } = task;
  const dueAt = live ? live.expiresAt : task.state === 'delayed' ? task.notBefore : null;
  return {
    order: orderOf(task),
    rank: task.rank,
    priority: task.priority === 0 ? undefined : task.priority,
    key: task.key ?? undefined,
    params: isPlainBson(task.params) ? undefined : JSON.stringify(task.params),
    result: task.result === 'null' ? undefined : task.result,
    error: task.error === null ? undefined : toStoredText(task.error),
    code: code ?? undefined,
    notBefore: date(task.notBefore),
    labels: Object.keys(task.labels).length === 0 ? undefined : toStoredLabels(task.labels),
    hold: task.hold ?? undefined,
    external: task.external || undefined,
    unique: unique ? { ...unique, key: toStoredText(unique.key) } : undefined,
    live: live
      ? {
          node: live.node,
          claimedAt: new Date(live.claimedAt),
          startedAt: date(live.startedAt) ?? null,
          expiresAt: date(live.expiresAt) ?? null,
          call: live.call ?? undefined,
          limitKeys: live.limitKeys.length === 0 ? undefined : live.limitKeys.map(toStoredText),
        }
      : undefined,
    due: date(dueAt),
    fence: task.fence,
    claimCount: some(task.claimCount),
    tryCount: some(task.tryCount),
    lossCount: some(task.lossCount),
    roundCount: some(task.roundCount),
    lastOutcome: task.lastOutcome ?? undefined,
    cancelRequestedAt: date(task.cancelRequestedAt),
    endedAt: date(task.endedAt),
    shown:
      task.renewedAt === null
        ? undefined
        : { mtime: new Date(task.renewedAt), updatedAt: new Date(task.updatedAt) },
    replacedBy: task.replacedBy ?? undefined,
    changedBy: task.changedBy ?? undefined,
    wrote: (isLive(task.state) && task.wrote) || undefined,
    archived: some(task.archived),
    pending: task.pending.length === 0 ? undefined : task.pending,
    pendingAt: date(task.pendingAt),
  } as Omit<TaskExtension, 'write' | 'before' | 'ended'>;
}

/** Disbatch's fields that we change. */
function disbatchFields(task: TaskRecord): Record<string, unknown> {
  const { document, state, params } = task;
  const isOld = document?.parameters !== undefined;
  const plain = isPlainBson(params) ? params : {};
  // A status or node of another program's choosing stays while it means the same.
  const status = document && fromStatus(document.status) === state && state !== 'failed';
  const isUnclaimed = task.node === null && typeof document?.node !== 'string';
  return {
    status: status ? document.status : toStatus(state, task.code),
    node: isUnclaimed ? (document?.node ?? null) : (task.node ?? (isOld ? -1 : null)),
    mtime: new Date(task.renewedAt ?? task.updatedAt),
    [isOld ? 'parameters' : 'params']: plain,
    ...outputFields(task),
  };
}

/** Disbatch's runner says `complete` when all is written; a task that waits again has nothing yet. */
function outputFields({ state, ended, document, output }: TaskRecord): object {
  if (isFinal(state) && ended.length > 0) return { ...output, complete: true };
  if (!document?.complete) return {};
  const nothing = document.parameters === undefined ? null : '';
  return { stdout: nothing, stderr: nothing, complete: false };
}

export function toTaskDocument(task: TaskRecord, write: string): TaskDocument {
  const { status, node, mtime, params } = disbatchFields(task);
  return {
    _id: toDocumentId(task.id),
    queue: task.queue.documentId,
    status,
    stdout: null,
    stderr: null,
    node,
    params,
    ctime: new Date(task.createdAt),
    mtime,
    batchyard: { write, ...extensionOf(task) },
  } as TaskDocument;
}

export interface FieldChange {
  readonly $set: Record<string, unknown>;
  readonly $unset?: Record<string, ''>;
  readonly $push?: Record<string, unknown>;
}

/** What makes the document say what the record says; null when it does already. */
export function changeOf(task: TaskRecord, write: string): FieldChange | null {
  const { document } = task;
  if (document === null) throw new Error(`Task ${task.id} is new: it is inserted, not changed.`);
  const $set: Record<string, unknown> = {};
  const $unset: Record<string, ''> = {};
  for (const [name, value] of Object.entries(disbatchFields(task))) {
    if (!isSame(document[name as keyof TaskDocument], value)) $set[name] = value;
  }
  const before = document.batchyard ?? {};
  for (const [name, value] of Object.entries(extensionOf(task))) {
    if (isSame(before[name as keyof TaskExtension], value)) continue;
    if (value === undefined) $unset[`batchyard.${name}`] = '';
    else $set[`batchyard.${name}`] = value;
  }
  const known = before.ended?.length ?? 0;
  const late = task.ended.slice(0, known).flatMap(({ late: word }, at) => {
    const isNew = word !== null && before.ended?.[at]?.late === null;
    return isNew
      ? [[`batchyard.ended.${at}.late`, { ...word, at: new Date(word.at) }] as const]
      : [];
  });
  const isArchived = task.archived > (before.archived ?? 0);
  // One update cannot change a list and add to it.
  const isWhole = isArchived || (late.length > 0 && task.ended.length > known);
  const added = task.ended.slice(isWhole ? 0 : known).map(toEndedDocument);
  if (isWhole) $set['batchyard.ended'] = added;
  else Object.assign($set, Object.fromEntries(late));
  const isUnset = Object.keys($unset).length > 0;
  if (Object.keys($set).length === 0 && !isUnset && added.length === 0) return null;
  $set['batchyard.write'] = write;
  // So that whoever wrote last but one can still see that he did.
  if (before.write !== undefined && before.write !== write) {
    $set['batchyard.before'] = before.write;
  }
  return {
    $set,
    ...(isUnset && { $unset }),
    ...(added.length > 0 && !isWhole && { $push: { 'batchyard.ended': { $each: added } } }),
  };
}

export function toEndedDocument(ended: EndedRecord): EndedDocument {
  return {
    fence: ended.fence,
    node: ended.node,
    claimedAt: new Date(ended.claimedAt),
    startedAt: date(ended.startedAt) ?? null,
    expiresAt: date(ended.expiresAt) ?? null,
    endedAt: new Date(ended.endedAt),
    outcome: ended.outcome,
    data: ended.data,
    error: ended.error === null ? null : toStoredText(ended.error),
    code: ended.code,
    late: ended.late && { ...ended.late, at: new Date(ended.late.at) },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
