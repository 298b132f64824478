import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from '../../../src/cli/output-stream.ts';

/** A stream that keeps what is written to it. */
export interface MemoryStream extends OutputStream {
  readonly text: string;
  /** Without colours. */
  readonly plain: string;
  /** Resolves once the text matches. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
}

export function memoryStream(
  terminal: { readonly columns: number; readonly rows: number } | null = null,
): MemoryStream {
  let text = '';
  let waiting: (() => void)[] = [];
  return {
    ...(terminal && { isTTY: true, ...terminal }),
    get text() {
      return text;
    },
    get plain() {
      return stripVTControlCharacters(text);
    },
    write(chunk) {
      text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
      return true;
    },
    async seen(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match) return match;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
  };
}
