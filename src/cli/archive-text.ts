/** What copy, backup and restore have to say. */
import type { ArchiveRun } from '../app/copy-store.ts';
import type { ArchiveComparison } from '../app/restore-store.ts';
import { formatSize } from '../app/size.ts';
import type { Session } from './command.ts';
import { countOf, formatCount } from './numbers.ts';
import type { Output } from './output.ts';
import { drawBar } from './progress.ts';
import { formatLength } from './times.ts';

const WORDS = { draining: 'Draining', copying: 'Copying', checking: 'Checking' } as const;

/** What the work is given, and a line that shows how far it is. */
export function openRun({ clock, random, stop, out }: Session): ArchiveRun & ArchiveWatch {
  const begunMs = clock.monotonicMs();
  const elapsed = (): string => formatLength(clock.monotonicMs() - begunMs);
  return {
    clock,
    random,
    signal: stop,
    elapsedMs: () => Math.round(clock.monotonicMs() - begunMs),
    elapsed,
    onProgress({ step, tasks, outputBytes }, total) {
      out.progress().update(() => {
        if (step === 'draining') {
          return `Waiting for ${countOf(tasks, 'running task')}, ${elapsed()}`;
        }
        const bar = total ? `${drawBar(tasks / total)} ` : '';
        const of = total === null ? '' : ` of ${formatCount(total)}`;
        const size = outputBytes > 0 ? `, ${formatSize(outputBytes)}` : '';
        return `${WORDS[step]} ${bar}${formatCount(tasks)}${of} tasks${size}, ${elapsed()}`;
      });
    },
  };
}

export interface ArchiveWatch {
  elapsedMs(): number;
  elapsed(): string;
}

/** A line per queue: what it holds on both sides, and whether that is the same. */
export function printComparisons(out: Output, queues: readonly ArchiveComparison[]): void {
  const table = out.table<ArchiveComparison>([
    { title: 'namespace', text: ({ source }) => source.namespace },
    { title: 'queue', text: ({ source }) => source.queue },
    { title: 'tasks', text: (one) => both(one, ({ tasks }) => formatCount(tasks)) },
    { title: 'attempts', text: (one) => both(one, ({ attempts }) => formatCount(attempts)) },
    { title: 'output', text: (one) => both(one, ({ outputBytes }) => formatSize(outputBytes)) },
    { title: 'hash', text: (one) => both(one, ({ hash }) => hash.slice(0, 12)) },
    {
      title: 'copy',
      text: (one) => (one.isSame ? 'same' : one.wasThere ? 'merged' : 'DIFFERS'),
      style: ({ isSame }) => (isSame ? 'green' : 'red'),
    },
  ]);
  table.add(queues);
  table.end('There are no queues.');
}

/** One value where both sides agree. */
function both(
  { source, destination }: ArchiveComparison,
  show: (digest: ArchiveComparison['source']) => string,
): string {
  const [here, there] = [show(source), destination === null ? 'none' : show(destination)];
  return here === there ? here : `${here} / ${there}`;
}

/** Says which tasks a copy could not take; whether there are none. */
export function reportRefused(out: Output, refused: readonly string[]): boolean {
  if (refused.length === 0) return true;
  const some = refused.slice(0, 5).join(', ');
  const more = refused.length > 5 ? ', …' : '';
  const problem = `${countOf(refused.length, 'task')} could not be put: others there have their keys (${some}${more}).`;
  out.problem(problem, { error: { code: 'TASK_EXISTS', message: problem } });
  return false;
}
