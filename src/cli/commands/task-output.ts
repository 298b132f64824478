import {
  type Attempt,
  fromKeyBytes,
  isFinal,
  OUTPUT_STREAMS,
  type OutputChunk,
} from '../../core/index.ts';
import { command, type EngineSession } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { createLinePrefixer, type LinePrefixer } from '../line-prefixer.ts';
import { flag, value } from '../option.ts';
import { toChoice, toCount } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';

const WAIT_MS = 20_000;
const RETRY_PAUSE_MS = 1_000;

const OPTIONS = {
  follow: flag('-f, --follow', 'Go on while it runs, and with its next attempts.'),
  attempt: value('--attempt <number>', 'Of this attempt; not said: of the last.', toCount),
  stream: value(
    '--stream <name>',
    `Only this stream: ${OUTPUT_STREAMS.join(', ')}.`,
    toChoice(OUTPUT_STREAMS),
    OUTPUT_STREAMS,
  ),
};
type OutputSession = EngineSession<typeof OPTIONS>;

export const taskOutput = command({
  name: 'task output',
  usage: '<task-id...>',
  summary: 'Print what tasks wrote.',
  examples: ['batchyard task output 6918e0f20001a1b2c3000001 --follow'],
  options: OPTIONS,

  async run(session) {
    const { args, options, out } = session;
    const [only] = args;
    if (args.length === 1 && only) {
      await streamOutput(session, only, (bytes) => out.bytes(bytes));
      return EXIT.ok;
    }
    if (options.attempt !== undefined) throw new UsageError('--attempt goes with one task.');
    const streams = args.map((id) => streamLines(session, id));
    // Side by side when following, one after the other when not.
    if (options.follow) await Promise.all(streams.map((stream) => stream()));
    else for (const stream of streams) await stream();
    return EXIT.ok;
  },
});

function streamLines(session: OutputSession, id: string): () => Promise<void> {
  const lines: LinePrefixer = createLinePrefixer(`${id} | `, (bytes) => session.out.bytes(bytes));
  return async () => {
    await streamOutput(session, id, lines.write);
    lines.end();
  };
}

async function streamOutput(
  session: OutputSession,
  id: string,
  write: (bytes: Uint8Array) => void,
): Promise<void> {
  const { engine, options, out, clock, stop } = session;
  let fence = options.attempt;
  let after = 0;
  while (!stop.aborted) {
    const page = await engine.outputs.read(id, {
      after,
      ...(fence !== undefined && { fence }),
      ...(options.follow && { waitMs: WAIT_MS, signal: stop }),
    });
    for (const chunk of page.chunks) {
      after = chunk.number;
      if (options.stream !== undefined && chunk.stream !== options.stream) continue;
      if (out.isJson) out.print(toJson(id, page.fence, chunk), '');
      else if (chunk.stream === 'system') out.note(Buffer.from(chunk.bytes).toString().trimEnd());
      else write(chunk.bytes);
    }
    fence ??= page.fence ?? undefined;
    if (page.ended || (!options.follow && page.chunks.length === 0)) {
      if (!options.follow || options.attempt !== undefined) return;
      // In this order: an attempt that a final task had is then in the list.
      const { state } = await engine.tasks.get(id);
      const next = await findNextAttempt(session, id, fence);
      if (next !== null) {
        if (fence !== undefined) out.note(`Attempt ${next.fence} on ${next.node}:`);
        fence = next.fence;
        after = 0;
      } else if (isFinal(state)) return;
      else await clock.sleep(RETRY_PAUSE_MS, stop);
    }
  }
}

async function findNextAttempt(
  { engine }: OutputSession,
  id: string,
  fence: number | undefined,
): Promise<Attempt | null> {
  const attempts = await engine.attempts.list(id);
  return attempts.find((attempt) => fence === undefined || attempt.fence > fence) ?? null;
}

function toJson(task: string, attempt: number | null, chunk: OutputChunk): unknown {
  const { number, stream, at, bytes } = chunk;
  return { task, attempt, number, stream, at, data: fromKeyBytes(bytes) };
}
