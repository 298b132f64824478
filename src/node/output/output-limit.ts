import type { OutputStream } from '../../core/index.ts';
import type { OutputPiece } from './output-piece.ts';
import { createOutputTail } from './output-tail.ts';

/**
 * Keeps the head and the tail of what a task writes. The head passes through at
 * once; the tail is held back until the end, since only then is it known.
 */
export interface OutputLimit {
  /** The part that belongs to the head, or null. */
  take(stream: OutputStream, bytes: Uint8Array): OutputPiece | null;
  /** What was dropped in the middle, and what comes after it. */
  end(): { readonly droppedBytes: number; readonly tail: readonly OutputPiece[] };
}

/** The tail waits in memory, one per running task. */
const LONGEST_TAIL_BYTES = 1024 * 1024;

export function createOutputLimit(maxBytes: number): OutputLimit {
  const maxTail = Math.min(Math.floor(maxBytes / 2), LONGEST_TAIL_BYTES);
  const tail = createOutputTail(maxTail);
  const offsets: Record<OutputStream, number> = { stdout: 0, stderr: 0, system: 0 };
  let headRoom = maxBytes - maxTail;

  const toPiece = (stream: OutputStream, bytes: Uint8Array): OutputPiece => {
    const piece = { stream, offset: offsets[stream], bytes };
    offsets[stream] += bytes.length;
    return piece;
  };

  return {
    take(stream, bytes) {
      const forHead = bytes.subarray(0, headRoom);
      const rest = bytes.subarray(headRoom);
      headRoom -= forHead.length;
      const head = forHead.length > 0 ? toPiece(stream, forHead) : null;
      if (rest.length > 0) {
        headRoom = 0;
        tail.push(toPiece(stream, rest));
      }
      return head;
    },
    end: () => ({ droppedBytes: tail.droppedBytes(), tail: tail.pieces() }),
  };
}
