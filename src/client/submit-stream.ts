import { z } from 'zod';
import { NDJSON } from '../api/contract/endpoint.ts';
import { fromErrorJson } from '../api/contract/error-json.ts';
import { PathName, toPath } from '../api/contract/path-name.ts';
import { submitTasks } from '../api/contract/task-endpoints.ts';
import {
  MOST_STREAM_PROBLEMS,
  type StreamCounts,
  type StreamSummary,
  StreamSummaryJson,
} from '../api/contract/task-stream.ts';
import { BatchError, type OnConflict } from '../core/index.ts';
import type { Connection } from './connection.ts';
import { ExchangeError } from './http-exchange.ts';

/** Tasks as JSON, one in each text. */
export type LineSource = Iterable<string> | AsyncIterable<string>;

export interface StreamOptions {
  readonly onConflict?: OnConflict;
  /** The same key with the same lines adds nothing twice. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (counts: StreamCounts) => void;
  readonly signal?: AbortSignal;
}

interface StreamRequest extends StreamOptions {
  readonly namespace: string;
  readonly queue: string;
  readonly lines: LineSource;
}

const LINES_PER_REQUEST = 5000;
const CHARACTERS_PER_REQUEST = 4 * 1024 * 1024;

/**
 * Sends the lines in requests of some thousand, one after the other. Each is kept until it is
 * answered and has a key of its own, so it can be repeated even though the source cannot.
 */
export async function submitStream(
  connection: Connection,
  request: StreamRequest,
): Promise<StreamSummary> {
  const { idempotencyKey: key = connection.newKey(), onProgress } = request;
  let total: StreamSummary = {
    done: true,
    lines: 0,
    submitted: 0,
    replaced: 0,
    skipped: 0,
    failed: 0,
    errors: [],
  };
  for await (const lines of portionsOf(request.lines)) {
    const answer = await sendPortion(connection, request, lines, `${key}/${total.lines + 1}`);
    total = addUp(total, answer, lines.length);
    onProgress?.(total);
  }
  return total;
}

async function* portionsOf(source: LineSource): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let size = 0;
  for await (const line of source) {
    // Between the tokens of JSON a line break is a space; inside a text there is none.
    const flat = line.replaceAll(/[\r\n]/g, ' ');
    lines.push(flat);
    size += flat.length;
    if (lines.length < LINES_PER_REQUEST && size < CHARACTERS_PER_REQUEST) continue;
    yield lines;
    lines = [];
    size = 0;
  }
  if (lines.length > 0) yield lines;
}

async function sendPortion(
  connection: Connection,
  { namespace, queue, onConflict, signal }: StreamRequest,
  lines: readonly string[],
  key: string,
): Promise<StreamSummary> {
  const path = toPath(submitTasks.path, {
    namespace: z.encode(PathName, namespace) as string,
    queue: z.encode(PathName, queue) as string,
  });
  return connection.send(
    {
      method: submitTasks.method,
      path: onConflict ? `${path}?onConflict=${onConflict}` : path,
      headers: { 'content-type': NDJSON, 'idempotency-key': key },
      body: `${lines.join('\n')}\n`,
      signal,
      isRepeatable: true,
    },
    readSummary,
  );
}

/** The last line says how it went; an answer without one broke off, and the request can be repeated. */
function readSummary(text: string): StreamSummary {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const summary = last.includes('"done"') ? StreamSummaryJson.safeParse(JSON.parse(last)) : null;
  if (!summary?.success) {
    const error = new BatchError('INTERNAL', { problem: 'the answer to the stream broke off' });
    throw new ExchangeError(error, { isTemporary: true });
  }
  if (summary.data.error === undefined) return summary.data;
  const error = fromErrorJson({ error: summary.data.error });
  throw new ExchangeError(error, { isTemporary: error.kind === 'unavailable' });
}

function addUp(total: StreamSummary, answer: StreamSummary, lineCount: number): StreamSummary {
  const errors = answer.errors.map((problem) => ({
    ...problem,
    line: problem.line + total.lines,
  }));
  return {
    done: true,
    lines: total.lines + lineCount,
    submitted: total.submitted + answer.submitted,
    replaced: total.replaced + answer.replaced,
    skipped: total.skipped + answer.skipped,
    failed: total.failed + answer.failed,
    errors: [...total.errors, ...errors].slice(0, MOST_STREAM_PROBLEMS),
  };
}
