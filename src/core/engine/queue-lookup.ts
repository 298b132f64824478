import type { Queue } from '../domain/queue.ts';
import { BatchError } from '../errors.ts';
import type { Handle } from './engine-context.ts';

export function queueMissing({ namespace }: Handle, queue: string): BatchError {
  return new BatchError('QUEUE_NOT_FOUND', { queue, namespace });
}

export async function getQueue(handle: Handle, name: string): Promise<Queue> {
  const queue = await handle.store.queues.find(handle.namespace, name);
  if (queue === null) throw queueMissing(handle, name);
  return queue;
}
