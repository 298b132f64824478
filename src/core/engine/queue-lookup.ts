import type { Queue } from '../domain/queue.ts';
import { BatchError } from '../errors.ts';
import type { Handle } from './engine-context.ts';

export function queueMissing({ namespace }: Handle, queue: string): BatchError {
  return new BatchError('QUEUE_NOT_FOUND', { queue, namespace });
}

/** The queues of these names, as far as there are any. Unlike `heads`, it ends no lease that ran out. */
export async function findQueues(
  { store, namespace }: Handle,
  names: Iterable<string>,
): Promise<Map<string, Queue>> {
  const found = await Promise.all(
    [...new Set(names)].map((name) => store.queues.find(namespace, name)),
  );
  return new Map(found.filter((queue) => queue !== null).map((queue) => [queue.name, queue]));
}

export async function getQueue(
  handle: Handle,
  name: string,
  options?: { maxAgeMs: number },
): Promise<Queue> {
  const queue = await handle.store.queues.find(handle.namespace, name, options);
  if (queue === null) throw queueMissing(handle, name);
  return queue;
}
