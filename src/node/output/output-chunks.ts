import type { OutputChunk } from '../../core/index.ts';
import type { OutputPiece } from './output-piece.ts';
import { wholeCharactersLength } from './utf8-boundary.ts';

export const LARGEST_CHUNK_BYTES = 64 * 1024;

/** Pieces no larger than a chunk, cut between characters. */
export function splitPiece(piece: OutputPiece): OutputPiece[] {
  const parts: OutputPiece[] = [];
  let { bytes, offset } = piece;
  while (bytes.length > LARGEST_CHUNK_BYTES) {
    const length = wholeCharactersLength(bytes.subarray(0, LARGEST_CHUNK_BYTES));
    parts.push({ ...piece, offset, bytes: bytes.subarray(0, length) });
    bytes = bytes.subarray(length);
    offset += length;
  }
  parts.push({ ...piece, offset, bytes });
  return parts;
}

/** Neighbours of one stream become one chunk, as far as they fit; numbers go up from `firstNumber`. */
export function toChunks(
  pieces: readonly OutputPiece[],
  firstNumber: number,
): Omit<OutputChunk, 'at'>[] {
  const groups: OutputPiece[][] = [];
  let groupBytes = 0;
  for (const piece of pieces) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const follows =
      last?.stream === piece.stream && last.offset + last.bytes.length === piece.offset;
    if (group && follows && groupBytes + piece.bytes.length <= LARGEST_CHUNK_BYTES) {
      group.push(piece);
      groupBytes += piece.bytes.length;
    } else {
      groups.push([piece]);
      groupBytes = piece.bytes.length;
    }
  }
  return groups.map((group, index) => ({
    number: firstNumber + index,
    stream: (group[0] as OutputPiece).stream,
    offset: (group[0] as OutputPiece).offset,
    // Plain bytes of their own: a Buffer may be a window into memory that is used again.
    bytes: joinBytes(group.map(({ bytes }) => bytes)),
  }));
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
