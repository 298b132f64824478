/** From documents of `tasks`, whoever wrote them, to records. */
import { isFinal, isLive, type Json, rankOf, type TaskState } from '../../core/store/index.ts';
import { fromDocumentId } from './ids.ts';
import type { QueueRecord } from './queue-record.ts';
import { fromStatus } from './status-codes.ts';
import type { EndedDocument, LiveDocument, TaskDocument, TaskExtension } from './task-document.ts';
import type { EndedRecord, LiveRecord, TaskRecord } from './task-record.ts';
import { fromStoredLabels, fromStoredText } from './texts.ts';

const NOTHING: TaskExtension = {};

export function fromTaskDocument(document: TaskDocument, queue: QueueRecord): TaskRecord {
  const ours = document.batchyard ?? NOTHING;
  const id = fromDocumentId(document._id);
  const key = ours.key ?? null;
  const state = fromStatus(document.status);
  const node = typeof document.node === 'string' ? document.node : null;
  const mtime = fromTime(document.mtime) ?? 0;
  const isOurs = isLive(state) && ours.live !== undefined && ours.live.node === node;
  const isShown = ours.shown?.mtime.getTime() === mtime;
  return {
    id,
    queue,
    document,
    key,
    state,
    hold: state === 'held' ? (ours.hold ?? 'operator') : null,
    node,
    params: fromParams(document),
    result: ours.result ?? 'null',
    error: ours.error === undefined ? null : fromStoredText(ours.error),
    code: ours.code ?? foreignCode(document, state),
    priority: ours.priority ?? 0,
    notBefore: ours.notBefore?.getTime() ?? null,
    labels: fromStoredLabels(ours.labels ?? []),
    external: ours.external ?? false,
    rank: ours.rank ?? foreignRank(queue, id),
    unique: ours.unique ? { ...ours.unique, key: fromStoredText(ours.unique.key) } : null,
    live:
      isOurs && ours.live
        ? fromLive(ours.live)
        : isLive(state)
          ? foreignLive(document, mtime)
          : null,
    ended: (ours.ended ?? []).map(fromEndedDocument),
    archived: ours.archived ?? 0,
    // A foreign claim raises no fence: it has the next one, so that no word of ours ends it.
    fence: (ours.fence ?? 0) + (isLive(state) && !isOurs ? 1 : 0),
    claimCount: ours.claimCount ?? 0,
    tryCount: ours.tryCount ?? 0,
    lossCount: ours.lossCount ?? 0,
    roundCount: ours.roundCount ?? 0,
    lastOutcome: ours.lastOutcome ?? null,
    cancelRequestedAt: ours.cancelRequestedAt?.getTime() ?? null,
    createdAt: fromTime(document.ctime) ?? mtime,
    updatedAt: isShown ? (ours.shown?.updatedAt.getTime() ?? mtime) : mtime,
    endedAt: isFinal(state) ? (ours.endedAt?.getTime() ?? mtime) : null,
    renewedAt: isShown ? mtime : null,
    replacedBy: ours.replacedBy ?? null,
    changedBy: ours.changedBy ?? null,
    wrote: ours.wrote ?? false,
    pending: ours.pending ?? [],
    pendingAt: ours.pendingAt?.getTime() ?? null,
    output: null,
  };
}

function fromLive(live: LiveDocument): LiveRecord {
  return {
    node: live.node,
    claimedAt: live.claimedAt.getTime(),
    startedAt: live.startedAt?.getTime() ?? null,
    expiresAt: live.expiresAt?.getTime() ?? null,
    call: live.call ?? null,
    limitKeys: (live.limitKeys ?? []).map(fromStoredText),
  };
}

/** A Disbatch node's claim, which has no lease, is an attempt as well. */
function foreignLive({ node, status }: TaskDocument, mtime: number): LiveRecord {
  const startedAt = fromStatus(status) === 'running' ? mtime : null;
  const name = typeof node === 'string' ? node : '';
  return { node: name, claimedAt: mtime, startedAt, expiresAt: null, call: null, limitKeys: [] };
}

export function fromEndedDocument(ended: EndedDocument): EndedRecord {
  return {
    fence: ended.fence,
    node: ended.node,
    claimedAt: ended.claimedAt.getTime(),
    startedAt: ended.startedAt?.getTime() ?? null,
    expiresAt: ended.expiresAt?.getTime() ?? null,
    endedAt: ended.endedAt.getTime(),
    outcome: ended.outcome,
    data: ended.data,
    error: ended.error === null ? null : fromStoredText(ended.error),
    code: ended.code,
    late: ended.late && { ...ended.late, at: ended.late.at.getTime() },
  };
}

function fromParams({ batchyard, params, parameters }: TaskDocument): Json {
  if (batchyard?.params !== undefined) return JSON.parse(batchyard.params);
  const stored = parameters === undefined ? params : parameters;
  // Other programs may have used types that JSON has not.
  return batchyard === undefined ? JSON.parse(JSON.stringify(stored ?? null)) : (stored as Json);
}

/** What a task that another program ended was ended with. */
function foreignCode({ status, batchyard }: TaskDocument, state: TaskState): number | null {
  return isFinal(state) && batchyard?.endedAt === undefined && Number(status) > 0
    ? Number(status)
    : null;
}

/** By its id, for it has no key of ours. */
export function foreignRank(queue: QueueRecord, id: string): string {
  return Buffer.from(rankOf(queue.settings.order, id, null)).toString('hex');
}

/** Disbatch 3 wrote Unix seconds. */
function fromTime(time: Date | number | undefined): number | null {
  if (time instanceof Date) return time.getTime();
  return typeof time === 'number' ? time * 1000 : null;
}
