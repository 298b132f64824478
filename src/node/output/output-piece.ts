import type { OutputStream } from '../../core/index.ts';

/** Some bytes of one stream, on their way to a chunk. */
export interface OutputPiece {
  readonly stream: OutputStream;
  /** Bytes of this stream before this piece, dropped ones included. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}
