import type { Node, Task } from '../../core/index.ts';
import { command, type EngineSession } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { listAll } from '../list-pages.ts';
import { nodeColumns } from '../node-text.ts';
import { formatRate } from '../numbers.ts';
import { flag, value } from '../option.ts';
import { toDurationMs } from '../option-values.ts';
import { QUEUE_COLUMNS, type QueueRow, RUNNING, sumOf, WAITING } from '../queue-text.ts';
import { type Column, layOutTable } from '../table.ts';
import { taskColumns } from '../task-text.ts';
import { formatClock } from '../times.ts';

const OPTIONS = {
  interval: value('--interval <duration>', 'Look again after this (2s).', toDurationMs),
  once: flag('--once', 'Look once and end; so it does where there is no terminal.'),
};
type TopSession = EngineSession<typeof OPTIONS>;

const HOME_AND_CLEAR = '\u001b[H\u001b[J';
const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[?25h\u001b[?1049l';
const MOST_TASKS = 20;

export const top = command({
  name: 'top',
  summary: 'Watch queues, nodes and running tasks.',
  options: OPTIONS,

  async run(session) {
    const { out, options, clock, stop } = session;
    const { interval = 2000 } = options;
    const isLive = out.isTerminal && !options.once;
    if (!isLive) {
      const look = await lookAround(session);
      out.print(look, draw(session, look, null));
      return EXIT.ok;
    }

    let before: Look | null = null;
    // At once: an interrupted command has no later.
    const leave = (): void => out.screen(LEAVE_SCREEN);
    stop.addEventListener('abort', leave, { once: true });
    out.screen(ENTER_SCREEN);
    try {
      while (!stop.aborted) {
        const look = await lookAround(session);
        if (!stop.aborted) out.screen(toScreen(draw(session, look, before)));
        before = look;
        await clock.sleep(interval, stop);
      }
      return EXIT.interrupted;
    } finally {
      stop.removeEventListener('abort', leave);
      if (!stop.aborted) leave();
    }
  },
});

function toScreen(lines: readonly string[]): string {
  return HOME_AND_CLEAR + lines.join('\r\n');
}

interface Look {
  readonly at: Date;
  readonly queues: readonly QueueRow[];
  readonly nodes: readonly Node[];
  readonly tasks: readonly Task[];
}

async function lookAround({ engine, clock }: TopSession): Promise<Look> {
  const [all, counts, nodes, { items: tasks }] = await Promise.all([
    listAll((page) => engine.queues.list(page)),
    engine.queues.counts(),
    listAll((page) => engine.nodes.list({ ...page, live: true })),
    engine.tasks.list({ states: ['running', 'claimed'] }, { limit: MOST_TASKS }),
  ]);
  const queues = all.flatMap((queue) => {
    const found = counts.find((one) => one.queue === queue.name);
    return found ? [{ ...queue, counts: found.counts }] : [];
  });
  return { at: clock.now(), queues: queues.toSorted(byBusyness), nodes, tasks };
}

function byBusyness(a: QueueRow, b: QueueRow): number {
  const running = sumOf(b.counts, RUNNING) - sumOf(a.counts, RUNNING);
  return running || sumOf(b.counts, WAITING) - sumOf(a.counts, WAITING);
}

function draw({ out, engine }: TopSession, look: Look, before: Look | null): string[] {
  const { at, queues, nodes, tasks } = look;
  const { paint, isTerminal, width, height } = out;
  const wide = isTerminal ? width : null;
  const table = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) => {
    const layout = layOutTable(columns, wide, paint);
    const lines = layout.lines(rows);
    return rows.length === 0 ? [] : ['', paint('bold', title), layout.head(), ...lines];
  };
  const rate = before === null ? '' : `, ${rateBetween(before, look)} ended`;
  const lines = [
    `batchyard top  ${formatClock(at)}  namespace ${engine.namespace}${rate}`,
    ...table('Queues', QUEUE_COLUMNS, queues),
    ...table('Nodes', nodeColumns(at), nodes),
    ...table('Running', taskColumns(at), tasks),
  ];
  if (queues.length === 0) lines.push('', 'There are no queues yet.');
  if (nodes.length === 0) lines.push('', 'No node is live.');
  return isTerminal ? lines.slice(0, height - 1) : lines;
}

function rateBetween(before: Look, { at, queues }: Look): string {
  const ended = (rows: readonly QueueRow[]): number =>
    rows.reduce((sum, { counts }) => sum + counts.succeeded + counts.failed, 0);
  const seconds = (at.getTime() - before.at.getTime()) / 1000;
  return formatRate(Math.max(0, ended(queues) - ended(before.queues)) / Math.max(seconds, 0.001));
}
