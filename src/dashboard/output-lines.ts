/** The last lines of an attempt's output, made of chunks as they come. Bounded, whatever is written. */
import type { OutputChunk, OutputStream } from '../core/index.ts';
import { type Span, TerminalReader } from './ansi.ts';

export const MOST_LINES = 5000;
export const LINES_PER_BLOCK = 100;
export const LONGEST_LINE = 4000;
export const MOST_CHARACTERS = 2_000_000;
const MOST_SPANS = 200;

export interface OutputLine {
  readonly number: number;
  readonly stream: OutputStream;
  readonly at: Date;
  readonly spans: readonly Span[];
  /** Characters beyond LONGEST_LINE, which are not shown. */
  readonly cut: number;
}

/** Lines are shown in blocks, so that a new line redraws one block and not five thousand lines. */
export interface OutputBlock {
  readonly number: number;
  readonly lines: readonly OutputLine[];
  /** Grows with each change. */
  readonly version: number;
}

interface OpenLine {
  readonly number: number;
  readonly stream: OutputStream;
  readonly at: Date;
  spans: Span[];
  length: number;
  cut: number;
}

interface OpenBlock {
  readonly number: number;
  readonly lines: OpenLine[];
  length: number;
  version: number;
}

interface StreamState {
  readonly decoder: TextDecoder;
  readonly reader: TerminalReader;
  line: OpenLine | null;
  returned: boolean;
  at: Date;
}

export class OutputLines {
  readonly #blocks: OpenBlock[] = [];
  readonly #streams = new Map<OutputStream, StreamState>();
  #lineCount = 0;

  get blocks(): readonly OutputBlock[] {
    return [...this.#blocks];
  }

  /** Lines that were read and are no longer kept. */
  get droppedCount(): number {
    return (this.#blocks[0]?.number ?? 0) * LINES_PER_BLOCK;
  }

  get lineCount(): number {
    return this.#lineCount;
  }

  add(chunk: Pick<OutputChunk, 'stream' | 'bytes' | 'at'>): void {
    const state = this.#streamOf(chunk.stream);
    state.at = chunk.at;
    state.reader.read(state.decoder.decode(chunk.bytes, { stream: true }));
  }

  #streamOf(stream: OutputStream): StreamState {
    const known = this.#streams.get(stream);
    if (known) return known;
    const reader = new TerminalReader({
      text: (text, style) => this.#write(stream, state, { text, style }),
      newline: () => {
        if (state.line === null) this.#open(stream, state);
        state.line = null;
        state.returned = false;
      },
      carriageReturn: () => {
        state.returned = true;
      },
      backspace: () => {
        if (state.line) this.#erase(state.line);
      },
    });
    const state: StreamState = {
      decoder: new TextDecoder(),
      reader,
      line: null,
      returned: false,
      at: new Date(0),
    };
    this.#streams.set(stream, state);
    return state;
  }

  #write(stream: OutputStream, state: StreamState, span: Span): void {
    const line = state.line ?? this.#open(stream, state);
    if (state.returned) {
      this.#touch(line, -line.length);
      line.spans = [];
      line.length = 0;
      line.cut = 0;
      state.returned = false;
    }
    const shown = span.text.slice(0, LONGEST_LINE - line.length);
    line.cut += span.text.length - shown.length;
    line.length += shown.length;
    const last = line.spans.at(-1);
    if (last && (last.style === span.style || line.spans.length >= MOST_SPANS)) {
      line.spans[line.spans.length - 1] = { ...last, text: last.text + shown };
    } else if (shown !== '') {
      line.spans.push({ text: shown, style: span.style });
    }
    this.#touch(line, shown.length);
  }

  #erase(line: OpenLine): void {
    const last = line.spans.at(-1);
    if (!last || line.cut > 0) return;
    line.spans[line.spans.length - 1] = { ...last, text: last.text.slice(0, -1) };
    if (last.text.length <= 1) line.spans.pop();
    line.length -= 1;
    this.#touch(line, -1);
  }

  #open(stream: OutputStream, state: StreamState): OpenLine {
    this.#lineCount += 1;
    const number = this.#lineCount;
    const line: OpenLine = { number, stream, at: state.at, spans: [], length: 0, cut: 0 };
    const blockNumber = Math.floor((number - 1) / LINES_PER_BLOCK);
    let block = this.#blocks.at(-1);
    if (block?.number !== blockNumber) {
      block = { number: blockNumber, lines: [], length: 0, version: 0 };
      this.#blocks.push(block);
      this.#dropOld();
    }
    block.lines.push(line);
    block.version += 1;
    state.line = line;
    return line;
  }

  #dropOld(): void {
    let length = this.#blocks.reduce((sum, block) => sum + block.length, 0);
    while (this.#blocks.length * LINES_PER_BLOCK > MOST_LINES || length > MOST_CHARACTERS) {
      length -= this.#blocks.shift()?.length ?? 0;
    }
    // A stream whose open line went with its block begins a new one.
    const first = (this.#blocks[0]?.number ?? 0) * LINES_PER_BLOCK;
    for (const state of this.#streams.values()) {
      if (state.line && state.line.number <= first) state.line = null;
    }
  }

  #touch(line: OpenLine, growth: number): void {
    const index = Math.floor((line.number - 1) / LINES_PER_BLOCK);
    const block = this.#blocks[index - (this.#blocks[0]?.number ?? 0)];
    if (!block) return;
    block.length += growth;
    block.version += 1;
  }
}
