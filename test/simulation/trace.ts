/** What happened in a run, in order. Off by default: only a replay pays for the words. */
export interface Trace {
  /** `words` is called only when somebody listens. */
  note(atMs: number, who: string, words: () => string): void;
}

export const silentTrace: Trace = { note: () => {} };

export function linesTrace(write: (line: string) => void): Trace {
  return {
    note: (atMs, who, words) => write(`${String(atMs).padStart(7)} ${who.padEnd(14)} ${words()}`),
  };
}

export interface HashTrace extends Trace {
  digest(): string;
}

/** Two runs that did the same have the same digest (FNV-1a). */
export function hashTrace(): HashTrace {
  let hash = 0x811c9dc5;
  const add = (text: string): void => {
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
  };
  return {
    note: (atMs, who, words) => add(`${atMs}\n${who}\n${words()}\n`),
    digest: () => (hash >>> 0).toString(16).padStart(8, '0'),
  };
}
