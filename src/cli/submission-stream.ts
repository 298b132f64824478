/** Submits many tasks as a stream and tells how far it is; memory stays flat however many there are. */
import type { StreamCounts, StreamSummary } from '../api/contract/task-stream.ts';
import type { OnConflict } from '../core/index.ts';
import type { EngineSession } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { countOf, formatCount } from './numbers.ts';
import { createPace } from './pace.ts';
import { drawBar } from './progress.ts';
import type { SubmissionSource } from './submission-source.ts';
import { followTasks } from './task-following.ts';
import { toPlainLine } from './terminal-text.ts';

export interface ManyTasks {
  readonly queue: string;
  readonly source: SubmissionSource;
  /** The label that all of them carry; null: none. */
  readonly batch: string | null;
}

type StreamSession = Pick<EngineSession, 'engine' | 'out' | 'clock' | 'stop'> & {
  readonly options: {
    readonly onConflict: OnConflict | undefined;
    readonly wait: boolean;
    readonly timeout: number | undefined;
  };
};

export async function submitMany(session: StreamSession, many: ManyTasks): Promise<ExitCode> {
  const { options, out } = session;
  const { queue, batch } = many;
  const summary = await stream(session, many);
  const { submitted, replaced, failed } = summary;

  report(session, many, summary);
  if (!options.wait || batch === null || submitted + replaced === 0) {
    return failed === 0 ? EXIT.ok : EXIT.failed;
  }
  out.note(`Waiting for them; to wait again: batchyard wait --label batch=${batch}`);
  const filter = { queues: [queue], labels: { batch } };
  const total = submitted + replaced;
  const code = await followTasks(session, { filter, timeoutMs: options.timeout ?? null, total });
  return code === EXIT.ok && failed > 0 ? EXIT.failed : code;
}

async function stream(session: StreamSession, many: ManyTasks): Promise<StreamSummary> {
  const { engine, out, clock, options } = session;
  const { queue, source } = many;
  const progress = out.progress();
  const pace = createPace(clock);
  const onProgress = ({ lines }: Pick<StreamCounts, 'lines'>): void => {
    pace.add(lines);
    progress.update(() => {
      const { total } = source;
      const bar = total === null ? '' : `${drawBar(lines / total)}  `;
      const tail = pace.text(total === null ? null : total - lines);
      return `${bar}${countOf(lines, 'task')} sent${tail === '' ? '' : `  ${tail}`}`;
    });
  };
  const { onConflict = 'refuse' } = options;
  return engine.submitStream(queue, source.lines, { onConflict, onProgress });
}

function report(
  { out }: StreamSession,
  { queue, source, batch }: ManyTasks,
  summary: StreamSummary,
) {
  const { submitted, replaced, skipped, failed } = summary;
  const errors = summary.errors.map(({ line, message }) => `${source.placeOf(line)}: ${message}`);
  for (const error of errors) out.problem(toPlainLine(error));
  if (failed > errors.length) out.problem(`… and ${formatCount(failed - errors.length)} more.`);

  const parts = [
    `Submitted ${countOf(submitted, 'task')} to ${queue}`,
    ...(replaced > 0 ? [`${formatCount(replaced)} replaced`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped: their keys are there already`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} refused`] : []),
  ];
  out.print(
    { queue, submitted, replaced, skipped, failed, ...(batch !== null && { batch }) },
    `${parts.join('; ')}.`,
  );
}
