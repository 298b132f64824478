import type { QueueOrder } from '../domain/queue.ts';

/**
 * The bytes that order tasks of equal priority within a queue, so that one index
 * serves every order. `place` is an id: the task's own, or a new one when it goes to
 * the back again.
 */
export function rankOf(order: QueueOrder, place: string, key: Uint8Array | null): Uint8Array {
  if (order === 'key' && key !== null) return key;
  const bytes = Buffer.from(place, 'hex');
  if (order === 'lifo') for (let i = 0; i < bytes.length; i++) bytes[i] = ~(bytes[i] ?? 0) & 0xff;
  return bytes;
}
