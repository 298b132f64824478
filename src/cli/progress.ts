import type { Clock } from '../core/index.ts';
import type { OutputStream } from './output-stream.ts';
import { cutText } from './terminal-text.ts';

export interface Progress {
  /** Draws the line, unless one was drawn a moment ago. */
  update(line: () => string): void;
  /** Takes the line away, so that other words can be written. */
  hide(): void;
}

const CLEAR_LINE = '\r\u001b[2K';
const TERMINAL_PAUSE_MS = 100;
const FIRST_LINE_MS = 2_000;
const PLAIN_PAUSE_MS = 10_000;

/** On a terminal one line that changes; elsewhere (a log) a line every ten seconds. */
export function createProgress(options: {
  readonly stream: OutputStream;
  readonly clock: Clock;
  readonly isQuiet: boolean;
}): Progress {
  const { stream, clock, isQuiet } = options;
  const isTerminal = stream.isTTY === true;
  let nextMs = isTerminal ? 0 : clock.monotonicMs() + FIRST_LINE_MS;
  let isShown = false;

  const hide = (): void => {
    if (!isShown) return;
    stream.write(CLEAR_LINE);
    isShown = false;
    nextMs = 0;
  };
  return {
    hide,
    update(line) {
      const now = clock.monotonicMs();
      if (isQuiet || now < nextMs) return;
      nextMs = now + (isTerminal ? TERMINAL_PAUSE_MS : PLAIN_PAUSE_MS);
      if (isTerminal) stream.write(CLEAR_LINE + cutText(line(), (stream.columns || 80) - 1));
      else stream.write(`${line()}\n`);
      isShown = isTerminal;
    },
  };
}

/** `[#####.....]  50%` */
export function drawBar(part: number, width = 20): string {
  const share = Math.min(1, Math.max(0, part));
  const filled = Math.floor(share * width);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${percent}%`;
}
