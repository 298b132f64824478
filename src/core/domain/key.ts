import { toHex } from './hex.ts';

/**
 * A task's key is any bytes, unique in its queue. Text stands for its UTF-8
 * bytes and comes back as text; bytes that are not UTF-8 come back as bytes.
 */
export type TaskKey = string | Uint8Array;

export const LONGEST_KEY_BYTES = 4096;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function toKeyBytes(key: TaskKey): Uint8Array {
  return typeof key === 'string' ? encoder.encode(key) : key;
}

export function fromKeyBytes(bytes: Uint8Array): TaskKey {
  try {
    return decoder.decode(bytes);
  } catch {
    return bytes;
  }
}

/** How a key is shown in messages and lists. */
export function keyText(key: TaskKey): string {
  return typeof key === 'string' ? key : `0x${toHex(key)}`;
}
