export const OUTPUT_STREAMS = ['stdout', 'stderr', 'system'] as const;
/** `system` carries our own words in the stream: what was dropped, why it was stopped. */
export type OutputStream = (typeof OUTPUT_STREAMS)[number];

/** A piece of what an attempt wrote, numbered from 1 by its node across all streams. */
export interface OutputChunk {
  readonly number: number;
  readonly stream: OutputStream;
  /** Bytes of this stream before this chunk, dropped ones included. */
  readonly offset: number;
  readonly at: Date;
  readonly bytes: Uint8Array;
}
