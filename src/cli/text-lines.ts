import { UsageError } from './usage-error.ts';

export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const LINE_END = 0x0a;
const LONGEST_BYTES = 16 * 1024 * 1024;

/** The lines of a stream of UTF-8, without their ends; empty ones are passed over. Memory holds one line. */
export async function* readTextLines(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<TextLine> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const take = (end: Uint8Array): TextLine => {
    number += 1;
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end]);
    held = [];
    heldBytes = 0;
    try {
      return { number, text: utf8.decode(bytes).replace(/\r$/, '') };
    } catch {
      throw new UsageError(`${source}, line ${number}: it is not UTF-8 text.`);
    }
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const line = take(chunk.subarray(from, end));
      if (line.text !== '') yield line;
      from = end + 1;
    }
    if (from < chunk.length) {
      held.push(chunk.subarray(from));
      heldBytes += chunk.length - from;
    }
    if (heldBytes > LONGEST_BYTES) {
      throw new UsageError(`${source}, line ${number + 1}: it is longer than 16 MiB.`);
    }
  }
  if (held.length > 0) {
    const line = take(new Uint8Array());
    if (line.text !== '') yield line;
  }
}
