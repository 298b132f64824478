import type { OutputPiece } from './output-piece.ts';
import { continuationLength } from './utf8-boundary.ts';

/** The last bytes of what passes through, in their order, and how many fell out before them. */
export interface OutputTail {
  push(piece: OutputPiece): void;
  droppedBytes(): number;
  pieces(): readonly OutputPiece[];
}

const BLOCK_BYTES = 16 * 1024;

/** Neighbouring writes of one stream, in one growing buffer: many small ones would cost more than they hold. */
interface Block {
  readonly stream: OutputPiece['stream'];
  offset: number;
  buffer: Uint8Array;
  start: number;
  end: number;
}

export function createOutputTail(maxBytes: number): OutputTail {
  let blocks: Block[] = [];
  let first = 0;
  let heldBytes = 0;
  let dropped = 0;

  const dropFrom = (block: Block, count: number): void => {
    const after = block.buffer.subarray(block.start + count, block.end);
    const cut = count + continuationLength(after);
    block.start += cut;
    block.offset += cut;
    heldBytes -= cut;
    dropped += cut;
    if (block.start < block.end) return;
    first += 1;
    if (first > 1000 && first * 2 > blocks.length) {
      blocks = blocks.slice(first);
      first = 0;
    }
  };
  const append = ({ stream, offset, bytes }: OutputPiece): void => {
    const last = blocks.length > first ? blocks.at(-1) : undefined;
    if (last?.stream === stream && last.buffer.length - last.end >= bytes.length) {
      last.buffer.set(bytes, last.end);
      last.end += bytes.length;
      return;
    }
    if (last) last.buffer = last.buffer.slice(0, last.end);
    const buffer = new Uint8Array(Math.max(BLOCK_BYTES, bytes.length));
    buffer.set(bytes);
    blocks.push({ stream, offset, buffer, start: 0, end: bytes.length });
  };

  return {
    push(piece) {
      append(piece);
      heldBytes += piece.bytes.length;
      while (heldBytes > maxBytes) {
        const oldest = blocks[first] as Block;
        dropFrom(oldest, Math.min(heldBytes - maxBytes, oldest.end - oldest.start));
      }
    },
    droppedBytes: () => dropped,
    pieces: () =>
      blocks.slice(first).map(({ stream, offset, buffer, start, end }) => ({
        stream,
        offset,
        bytes: buffer.subarray(start, end),
      })),
  };
}
