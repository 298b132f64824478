import { styleText } from 'node:util';
import type { Clock } from '../core/index.ts';
import type { OutputStream } from './output-stream.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Column, layOutTable, type Paint } from './table.ts';
import { toTerminalOutput } from './terminal-text.ts';

/**
 * Where a command's words go: data on stdout, as text or (`--json`) one JSON
 * document per line; everything else on stderr.
 */
export interface Output {
  readonly isJson: boolean;
  /** stdout is a terminal and shows text. */
  readonly isTerminal: boolean;
  readonly width: number;
  readonly height: number;
  readonly paint: Paint;
  /** One thing: its JSON, or its text. */
  print(value: unknown, text: string | readonly string[]): void;
  /** A list that may come in pages; each row is a line. */
  table<Row>(columns: readonly Column<Row>[], toJson?: (row: Row) => unknown): Table<Row>;
  /** What a program wrote, as it wrote it; on a terminal, without what could harm it. */
  bytes(bytes: Uint8Array): void;
  /** Raw text for the screen: nothing but `top` needs it. */
  screen(text: string): void;
  /** For people; silent with --quiet. */
  note(text: string): void;
  problem(text: string, json?: unknown): void;
  /** A line on stderr that is drawn anew, or now and then a new one where there is no terminal. */
  progress(): Progress;
}

export interface Table<Row> {
  add(rows: readonly Row[]): void;
  /** Prints `empty` as a note if no row was added. */
  end(empty?: string): void;
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether colours are wanted where there is a terminal. */
  readonly hasColours: boolean;
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, clock, isJson, isQuiet } = options;
  const isTerminal = stdout.isTTY === true && !isJson;
  const paint: Paint = (style, text) =>
    style !== null && isTerminal && options.hasColours ? colour(style, text) : text;
  const bar = createProgress({ stream: stderr, clock, isQuiet });

  const write = (lines: string | readonly string[]): void => {
    const text = typeof lines === 'string' ? lines : lines.join('\n');
    bar.hide();
    stdout.write(`${isTerminal ? toTerminalOutput(text) : text}\n`);
  };
  const say = (text: string): void => {
    bar.hide();
    stderr.write(`${stderr.isTTY ? toTerminalOutput(text) : text}\n`);
  };

  return {
    isJson,
    isTerminal,
    get width() {
      return stdout.columns || 80;
    },
    get height() {
      return stdout.rows || 24;
    },
    paint,
    print: (value, text) => write(isJson ? toJsonLine(value) : text),
    table(columns, toJson = (row) => row) {
      const layout = layOutTable(columns, isTerminal ? stdout.columns || 80 : null, paint);
      let count = 0;
      return {
        add(rows) {
          if (rows.length === 0) return;
          if (isJson) write(rows.map((row) => toJsonLine(toJson(row))));
          else {
            const lines = layout.lines(rows);
            write(count === 0 ? [layout.head(), ...lines] : lines);
          }
          count += rows.length;
        },
        end(empty) {
          if (count === 0 && empty !== undefined && !isQuiet && !isJson) say(empty);
        },
      };
    },
    bytes(bytes) {
      bar.hide();
      stdout.write(isTerminal ? toTerminalOutput(Buffer.from(bytes).toString()) : bytes);
    },
    screen: (text) => void stdout.write(text),
    note(text) {
      if (!isQuiet) say(text);
    },
    problem: (text, json) => say(isJson && json !== undefined ? toJsonLine(json) : text),
    progress: () => bar,
  };
}

function colour(style: Exclude<Parameters<Paint>[0], null>, text: string): string {
  // We know our stream; styleText would look at the process's own.
  return styleText(style, text, { validateStream: false });
}

/** One JSON document on one line; bytes become {"$bytes": base64}, and nothing in it can steer a terminal. */
export function toJsonLine(value: unknown): string {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, plain) {
    const held = this[key];
    return held instanceof Uint8Array ? { $bytes: Buffer.from(held).toString('base64') } : plain;
  });
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
