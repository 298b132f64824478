import { createHash, type Hash } from 'node:crypto';
import { toBase64 } from '../domain/base64.ts';
import type { QueueId } from '../domain/ids.ts';
import { toKeyBytes } from '../domain/key.ts';
import type { Queue } from '../domain/queue.ts';
import type { Task } from '../domain/task.ts';
import type { ArchivedQueue, ArchivedTask } from '../store/archive-store.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { toRestored } from './restored-task.ts';

/** What a queue holds, in numbers and as one hash: equal on both sides of a copy. */
export interface QueueDigest {
  readonly namespace: string;
  readonly queueId: QueueId;
  readonly queue: string;
  readonly tasks: number;
  readonly attempts: number;
  readonly outputBytes: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

export interface ArchiveDigest {
  add(record: ArchiveRecord): void;
  /** Those of all queues added, in order. */
  end(): readonly QueueDigest[];
}

interface Open {
  readonly queue: Queue;
  readonly hash: Hash;
  tasks: number;
  attempts: number;
  outputBytes: number;
}

export function createArchiveDigest(): ArchiveDigest {
  const digests: QueueDigest[] = [];
  let open: Open | null = null;

  function close(): void {
    if (!open) return;
    const { queue, hash, tasks, attempts, outputBytes } = open;
    const { namespace, id: queueId, name } = queue;
    const counts = { tasks, attempts, outputBytes };
    digests.push({ namespace, queueId, queue: name, ...counts, hash: hash.digest('hex') });
    open = null;
  }

  return {
    add(record) {
      if (record.kind === 'queue') {
        close();
        const hash = createHash('sha256').update(queueText(record));
        open = { queue: record.queue, hash, tasks: 0, attempts: 0, outputBytes: 0 };
      } else if (record.kind === 'task' && open) {
        const { attempts, text } = taskText(record, open.queue);
        open.hash.update(text);
        open.tasks += 1;
        open.attempts += attempts;
      } else if (record.kind === 'output' && open) {
        for (const { number, stream, offset, at, bytes } of record.chunks) {
          const { fence } = record;
          open.hash.update(JSON.stringify([fence, number, stream, offset, at, bytes.length]));
          open.hash.update(bytes);
          open.outputBytes += bytes.length;
        }
      }
    },
    end() {
      close();
      return digests;
    },
  };
}

/** All that is set, but for `paused`: a queue is paused while it is drained. */
export function queueText({ queue, isDeleted }: ArchivedQueue): string {
  const { paused, revision, nextContinuousAt, createdAt, updatedAt, ...rest } = queue;
  return JSON.stringify([sorted(rest), isDeleted]);
}

/** Keys in one order: settings are objects that stores may put together anew. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

const AT_REST = new Date(0);

/**
 * A task as it is after a copy, without what a copy or the passing of time changes: its fence,
 * the instant of its last change, and which of the places of waiting it has come to.
 */
function taskText(archived: ArchivedTask, queue: Queue): { attempts: number; text: string } {
  const { task, attempts: ended, rank, uniqueKey } = toRestored(archived, queue, AT_REST);
  // An external task that runs is given a new attempt by each store it comes to.
  const attempts = task.external
    ? ended.filter(({ node, outcome }) => node !== '' || outcome !== 'orphaned')
    : ended;
  const isRunning = task.external && placeOf(task) === 'waiting';
  const text = JSON.stringify([
    task.id,
    placeOf(task),
    task.key === null ? null : toBase64(toKeyBytes(task.key)),
    task.params,
    ...(isRunning ? [] : [task.result, task.error, task.code, task.lastOutcome, task.claimCount]),
    task.priority,
    task.notBefore,
    sorted(task.labels),
    task.external,
    [task.tryCount, task.lossCount, task.roundCount],
    [task.cancelRequestedAt, task.createdAt, task.endedAt],
    toBase64(rank),
    uniqueKey,
    attempts.map(({ taskId, queue: name, key, ...rest }) => sorted(rest)),
  ]);
  return { attempts: attempts.length, text };
}

function placeOf({ state, hold }: Task): string {
  const isWaiting = state === 'queued' || state === 'delayed' || hold === 'admission';
  return isWaiting ? 'waiting' : `${state} ${hold ?? ''}`;
}
