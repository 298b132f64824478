/** Puts a prefix before each line of a stream whose pieces may end anywhere. */
export interface LinePrefixer {
  write(bytes: Uint8Array): void;
  /** Writes what has no line end yet. */
  end(): void;
}

const LINE_END = 0x0a;

export function createLinePrefixer(
  prefix: string,
  write: (bytes: Uint8Array) => void,
): LinePrefixer {
  const head = Buffer.from(prefix);
  let held: Uint8Array[] = [];
  const flush = (): void => {
    write(Buffer.concat([head, ...held]));
    held = [];
  };
  return {
    write(bytes) {
      let from = 0;
      for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
        held.push(bytes.subarray(from, end + 1));
        flush();
        from = end + 1;
      }
      if (from < bytes.length) held.push(bytes.subarray(from));
    },
    end() {
      if (held.length === 0) return;
      held.push(Uint8Array.of(LINE_END));
      flush();
    },
  };
}
