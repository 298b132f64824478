/** Tasks that are still to be added, as text on the document that says so. */
import type { Emission, NewTask, OnConflict } from '../../core/store/index.ts';
import { toHex } from './new-record.ts';

export interface PendingTask extends Omit<Emission, 'onConflict'> {
  readonly onConflict: OnConflict;
}

export function toPending({ queueId, task, onConflict }: PendingTask): string {
  const { key, rank, notBefore } = task;
  const plain = {
    ...task,
    key: key && toHex(key),
    rank: toHex(rank),
    notBefore: notBefore?.getTime() ?? null,
  };
  return JSON.stringify({ queueId, task: plain, onConflict });
}

export function fromPending(text: string): PendingTask {
  const { queueId, task, onConflict } = JSON.parse(text);
  const { key, rank, notBefore } = task;
  const own: NewTask = {
    ...task,
    key: key === null ? null : Buffer.from(key, 'hex'),
    rank: Buffer.from(rank, 'hex'),
    notBefore: notBefore === null ? null : new Date(notBefore),
  };
  return { queueId, task: own, onConflict };
}
