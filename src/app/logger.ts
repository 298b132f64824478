import { styleText } from 'node:util';
import { pino } from 'pino';
import type { Clock, LogFields, Logger } from '../core/index.ts';

export interface LoggerOptions {
  readonly format: 'json' | 'text';
  readonly stream: { write(line: string): unknown };
  readonly clock: Clock;
  readonly hasColours: boolean;
}

type Level = 'info' | 'warn' | 'error';

/** JSON lines for machines, or short lines for a person at a terminal. */
export function createLogger(options: LoggerOptions): Logger {
  return options.format === 'json' ? createJsonLogger(options) : createTextLogger(options);
}

function createJsonLogger({ stream }: LoggerOptions): Logger {
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream as { write(line: string): void },
  );
  const at =
    (level: Level) =>
    (event: string, fields: LogFields = {}): void =>
      log[level]({ event, ...plain(fields) });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function createTextLogger({ stream, clock, hasColours }: LoggerOptions): Logger {
  const paint = (style: 'dim' | 'yellow' | 'red', text: string): string =>
    hasColours && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  const marks = { info: '', warn: paint('yellow', 'warning '), error: paint('red', 'error ') };
  const at =
    (level: Level) =>
    (event: string, fields: LogFields = {}): void => {
      const time = clock.now().toTimeString().slice(0, 8);
      const pairs = Object.entries(plain(fields)).map(([name, value]) => `${name}=${show(value)}`);
      const words = [paint('dim', time), `${marks[level]}${event}`, paint('dim', pairs.join(' '))];
      stream.write(`${words.join(' ').trimEnd()}\n`);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function plain(fields: LogFields): LogFields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Error ? value.message : value]),
  );
}

/** JSON wherever a bare word would be misread; it also keeps control characters out. */
function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return /^[\x21-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}
