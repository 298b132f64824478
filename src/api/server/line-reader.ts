export interface Line {
  /** From 1. */
  readonly number: number;
  /** null when it was longer than allowed. */
  readonly bytes: Uint8Array | null;
}

const NEWLINE = 0x0a;

/** The lines of a stream, as many at a time as a piece of it completes; holds at most one line and one piece. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  longestBytes: number,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let heldBytes = 0;

  const add = (piece: Uint8Array): void => {
    heldBytes += piece.length;
    if (heldBytes <= longestBytes) pieces.push(piece);
    else pieces = [];
  };
  const end = (): Line => {
    number += 1;
    const bytes = heldBytes > longestBytes ? null : Buffer.concat(pieces);
    pieces = [];
    heldBytes = 0;
    return { number, bytes };
  };

  for await (const piece of stream) {
    const lines: Line[] = [];
    let start = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, start)) {
      add(piece.subarray(start, at));
      lines.push(end());
      start = at + 1;
    }
    if (start < piece.length) add(piece.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (heldBytes > 0) yield [end()];
}
