/** Where the tasks of one `submit` come from, as lines of JSON for the server to judge. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { TaskSubmission } from '../core/index.ts';
import type { ArrayRange } from './array-range.ts';
import type { Surroundings } from './command.ts';
import { readTextLines } from './text-lines.ts';
import { UsageError } from './usage-error.ts';

export interface SubmissionSource {
  /** null: not known before the end. */
  readonly total: number | null;
  readonly lines: AsyncIterable<string>;
  /** Where the nth line (from 1) of those given out stands: `names.txt, line 12`. */
  placeOf(number: number): string;
}

export type ItemSubmission = (item: string | number) => TaskSubmission;

export function fromRange(range: ArrayRange, toTask: ItemSubmission): SubmissionSource {
  return {
    total: range.count,
    lines: (async function* () {
      for (const number of range.numbers()) yield JSON.stringify(toTask(number));
    })(),
    placeOf: (number) => `task ${number}`,
  };
}

/** A task for each line of a text. */
export function fromLines(
  file: string,
  surroundings: Pick<Surroundings, 'stdin' | 'cwd'>,
  toTask: ItemSubmission,
): SubmissionSource {
  return fromText(file, surroundings, (text) => JSON.stringify(toTask(text)));
}

/** NDJSON: each line is a task as the API takes it; `common` is what the command line says of all. */
export function fromNdjson(
  file: string,
  surroundings: Pick<Surroundings, 'stdin' | 'cwd'>,
  common: TaskSubmission,
): SubmissionSource {
  const isPlain = Object.keys(common).length === 0;
  return fromText(file, surroundings, (text) => (isPlain ? text : addTo(text, common)));
}

function addTo(text: string, common: TaskSubmission): string {
  const task = findObject(text);
  // The server says what is wrong with a line that is no object.
  if (task === null) return text;
  const labels = common.labels && { labels: { ...common.labels, ...(task.labels as object) } };
  return JSON.stringify({ ...common, ...task, ...labels });
}

function findObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function fromText(
  file: string,
  surroundings: Pick<Surroundings, 'stdin' | 'cwd'>,
  toLine: (text: string) => string,
): SubmissionSource {
  const source = file === '-' ? 'stdin' : file;
  // Empty lines are passed over; kept is only where their number changes.
  const gaps: { readonly from: number; readonly skipped: number }[] = [];
  async function* read(): AsyncGenerator<string> {
    let given = 0;
    for await (const { number, text } of readTextLines(openBytes(file, surroundings), source)) {
      given += 1;
      const skipped = number - given;
      if (skipped !== (gaps.at(-1)?.skipped ?? 0)) gaps.push({ from: given, skipped });
      yield toLine(text);
    }
  }
  return {
    total: null,
    lines: read(),
    placeOf: (number) => {
      const gap = gaps.findLast(({ from }) => from <= number);
      return `${source}, line ${number + (gap?.skipped ?? 0)}`;
    },
  };
}

async function* openBytes(
  file: string,
  { stdin, cwd }: Pick<Surroundings, 'stdin' | 'cwd'>,
): AsyncGenerator<Uint8Array> {
  if (file === '-') yield* stdin;
  else {
    try {
      yield* createReadStream(resolve(cwd, file)) as AsyncIterable<Buffer>;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const why = code === 'ENOENT' ? 'There is no such file.' : `It cannot be read (${code}).`;
      throw new UsageError(`${file}: ${why}`);
    }
  }
}
