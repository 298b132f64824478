import {
  BatchError,
  type Clock,
  type Engine,
  type OnConflict,
  type Submitted,
  type TaskSubmission,
} from '../../core/index.ts';
import { LARGEST_BODY_BYTES } from '../contract/endpoint.ts';
import { toErrorJson } from '../contract/error-json.ts';
import { decode } from '../contract/invalid-request.ts';
import { SubmissionJson } from '../contract/task-schemas.ts';
import {
  MOST_STREAM_PROBLEMS,
  type StreamCounts,
  type StreamProblem,
  type StreamSummary,
} from '../contract/task-stream.ts';
import { readJson, tooLarge } from './json-body.ts';
import { type Line, readLines } from './line-reader.ts';

const TASKS_PER_STEP = 1000;
const BYTES_PER_STEP = 4 * 1024 * 1024;
const PROGRESS_MS = 1000;

export interface TaskStream {
  readonly engine: Engine;
  readonly queue: string;
  readonly onConflict: OnConflict;
  readonly idempotencyKey?: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly body: AsyncIterable<Uint8Array>;
}

interface Entry {
  readonly line: number;
  readonly task: TaskSubmission;
}

/**
 * Takes tasks in, one per line, in steps whose bounds depend on the content alone: repeated under
 * the same key, each step is the one it was. Gives lines of NDJSON: how far it is, and the summary.
 * Memory holds one step, however long the stream; reading waits while a step is written.
 */
export async function* submitStream(stream: TaskStream): AsyncGenerator<string> {
  const tally = createTally();
  // Before a byte is read: a queue that is not there is the whole answer.
  await stream.engine.queues.get(stream.queue);
  let shownMs = stream.clock.monotonicMs();
  try {
    for await (const entries of stepsOf(stream, tally)) {
      await submitStep(stream, entries, tally);
      const nowMs = stream.clock.monotonicMs();
      if (nowMs - shownMs < PROGRESS_MS) continue;
      shownMs = nowMs;
      yield `${JSON.stringify(tally.counts())}\n`;
    }
    yield summaryLine({ done: true, ...tally.counts(), errors: tally.problems });
  } catch (error) {
    if (!(error instanceof BatchError) || tally.counts().lines === 0) throw error;
    const counts = tally.counts();
    yield summaryLine({ done: false, ...counts, errors: tally.problems, ...toErrorJson(error) });
  }
}

function summaryLine(summary: StreamSummary): string {
  return `${JSON.stringify(summary)}\n`;
}

async function* stepsOf(stream: TaskStream, tally: Tally): AsyncGenerator<readonly Entry[]> {
  let entries: Entry[] = [];
  let bytes = 0;
  for await (const lines of readLines(stream.body, LARGEST_BODY_BYTES)) {
    for (const line of lines) {
      if (stream.signal.aborted) throw new BatchError('SHUTTING_DOWN');
      tally.read(line.number);
      const entry = toEntry(line, tally);
      if (entry === null) continue;
      entries.push(entry);
      bytes += line.bytes?.length ?? 0;
      if (entries.length < TASKS_PER_STEP && bytes < BYTES_PER_STEP) continue;
      yield entries;
      entries = [];
      bytes = 0;
    }
  }
  if (entries.length > 0) yield entries;
}

/** null for a blank line, and for a bad one, which is noted. */
function toEntry({ number, bytes }: Line, tally: Tally): Entry | null {
  try {
    if (bytes === null)
      throw tooLarge('line', `more than ${LARGEST_BODY_BYTES}`, LARGEST_BODY_BYTES);
    if (bytes.every((byte) => byte <= 0x20)) return null;
    return { line: number, task: decode(SubmissionJson, readJson(bytes), 'line') };
  } catch (error) {
    tally.fail(number, error);
    return null;
  }
}

/**
 * One step, all or none; when the engine refuses what a line says, the halves on their own, so
 * that only the bad line stays out. That depends on the lines alone, so a repeated stream divides
 * alike.
 */
async function submitStep(
  stream: TaskStream,
  entries: readonly Entry[],
  tally: Tally,
): Promise<void> {
  const { engine, queue, onConflict, idempotencyKey: key } = stream;
  const [first] = entries;
  if (first === undefined) return;
  try {
    const answers = await engine.tasks.submit(
      queue,
      entries.map(({ task }) => task),
      {
        // A key that is there already must not keep its neighbours out: it is skipped and noted.
        onConflict: onConflict === 'refuse' ? 'skip' : onConflict,
        ...(key !== undefined && { idempotencyKey: `${key}/${first.line}+${entries.length}` }),
      },
    );
    for (const [index, answer] of answers.entries()) {
      tally.take(entries[index]?.line ?? 0, answer, onConflict);
    }
  } catch (error) {
    if (!(error instanceof BatchError) || !['invalid', 'too-large'].includes(error.kind))
      throw error;
    if (entries.length === 1) return tally.fail(first.line, error);
    const middle = entries.length >> 1;
    await submitStep(stream, entries.slice(0, middle), tally);
    await submitStep(stream, entries.slice(middle), tally);
  }
}

interface Tally {
  readonly problems: readonly StreamProblem[];
  counts(): StreamCounts;
  read(line: number): void;
  take(line: number, answer: Submitted, onConflict: OnConflict): void;
  fail(line: number, error: unknown): void;
}

function createTally(): Tally {
  const counts = { lines: 0, submitted: 0, replaced: 0, skipped: 0, failed: 0 };
  const problems: StreamProblem[] = [];
  const note = (line: number, code: string, message: string): void => {
    counts.failed += 1;
    if (problems.length < MOST_STREAM_PROBLEMS) problems.push({ line, code, message });
  };
  return {
    problems,
    counts: () => ({ ...counts }),
    read: (line) => {
      counts.lines = line;
    },
    take(line, { id, outcome }, onConflict) {
      if (outcome === 'created') counts.submitted += 1;
      else if (outcome === 'replaced') counts.replaced += 1;
      else if (onConflict === 'skip') counts.skipped += 1;
      else note(line, 'TASK_EXISTS', `Its key is there already: task ${id}.`);
    },
    fail(line, error) {
      if (!(error instanceof BatchError)) throw error;
      note(line, error.code, error.message);
    },
  };
}
