import {
  checkDate,
  checkJson,
  checkLabels,
  checkNumber,
  checkOneOf,
  checkText,
  checkWhole,
} from '../domain/check.ts';
import type { IdSource } from '../domain/ids.ts';
import { LONGEST_KEY_BYTES, type TaskKey, toKeyBytes } from '../domain/key.ts';
import type { Queue } from '../domain/queue.ts';
import { invalid } from '../errors.ts';
import { rankOf } from '../rules/rank.ts';
import { type NewTask, UNIQUE_SCOPES } from '../store/task-store.ts';
import type { TaskSubmission } from './task-operations.ts';

const LONGEST_DELAY_MS = 10 * 365 * 86_400_000;
const NO_LABELS = {};

/** Checks a submission and makes the task the store will hold. `field` says where it stands in the request. */
export function toNewTask(
  field: string,
  submission: TaskSubmission,
  queue: Queue,
  ids: IdSource,
): NewTask {
  const { params = null, priority = 0, notBefore = null, delayMs, labels = NO_LABELS } = submission;
  checkJson(`${field}.params`, params);
  checkNumber(`${field}.priority`, priority);
  if (notBefore !== null) checkDate(`${field}.notBefore`, notBefore);
  if (delayMs !== undefined) checkWhole(`${field}.delayMs`, delayMs, { max: LONGEST_DELAY_MS });
  if (labels !== NO_LABELS) checkLabels(`${field}.labels`, labels);
  if (submission.unique) checkUnique(`${field}.unique`, submission.unique);
  const key = submission.key == null ? null : checkedKey(`${field}.key`, submission.key);
  const id = ids.next();
  return {
    id,
    key,
    params,
    priority,
    notBefore,
    delayMs: delayMs ?? null,
    labels,
    hold: submission.hold ? 'operator' : null,
    external: submission.external ?? false,
    rank: rankOf(queue.order, id, key),
    unique: submission.unique
      ? { key: submission.unique.key, scope: submission.unique.while ?? 'unfinished' }
      : null,
  };
}

export function checkedKey(field: string, key: TaskKey): Uint8Array {
  if (typeof key === 'string' && !key.isWellFormed()) {
    throw invalid(field, 'the key is not valid Unicode', 'Send other bytes as bytes');
  }
  const bytes = toKeyBytes(key);
  if (bytes.length > LONGEST_KEY_BYTES) {
    throw invalid(field, `the key is ${bytes.length} bytes`, `Use at most ${LONGEST_KEY_BYTES}`);
  }
  return bytes;
}

function checkUnique(field: string, unique: NonNullable<TaskSubmission['unique']>): void {
  checkText(`${field}.key`, unique.key, 1024);
  if (unique.while !== undefined) checkOneOf(`${field}.while`, unique.while, UNIQUE_SCOPES);
}
