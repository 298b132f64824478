import { type Attempt, isFinal, isLive, type Task, type WhyAnswer } from '../../core/index.ts';
import { command, type EngineSession } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { layOutFields } from '../fields.ts';
import { layOutTable } from '../table.ts';
import { attemptColumns, stateStyle, stateText, subjectOf } from '../task-text.ts';
import { toPlainLine, toTerminalOutput } from '../terminal-text.ts';
import { formatLength, formatTime, toLocalTimes } from '../times.ts';

const LAST_LINES = 10;

export const taskShow = command({
  name: 'task show',
  usage: '<task-id...>',
  summary: 'Show all about a task: state, attempts, last output, why it is not running.',

  async run(session) {
    const { engine, args, out } = session;
    for (const [index, id] of args.entries()) {
      const task = await engine.tasks.get(id);
      const attempts = await engine.attempts.list(id);
      const why = isFinal(task.state) || isLive(task.state) ? null : await engine.tasks.why(id);
      const output = attempts.length === 0 ? '' : await readTail(session, id);
      const lines = toLines(session, { task, attempts, why, output });
      out.print(
        { ...task, attempts, why: why?.reasons ?? [], output },
        index === 0 ? lines : ['', ...lines],
      );
    }
    return EXIT.ok;
  },
});

interface Shown {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
  readonly why: WhyAnswer | null;
  readonly output: string;
}

async function readTail({ engine }: EngineSession, id: string): Promise<string> {
  const { chunks } = await engine.outputs.tail(id, { limitBytes: 4096 });
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
  return text.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}

function toLines({ out, clock }: EngineSession, shown: Shown): string[] {
  const { task, attempts, why, output } = shown;
  const now = clock.now();
  const { paint } = out;
  const lines = [
    paint('bold', toPlainLine(subjectOf(task))),
    ...layOutFields(paint, [
      ['task', task.id],
      ['queue', task.queue],
      ['state', stateText(task, now), stateStyle(task.state)],
      ['created', formatTime(task.createdAt, now)],
      ['due', task.notBefore && task.state === 'delayed' ? formatTime(task.notBefore, now) : null],
      ['ended', task.endedAt ? `${formatTime(task.endedAt, now)}${ranText(attempts)}` : null],
      ['priority', task.priority === 0 ? null : String(task.priority)],
      ['labels', labelsText(task)],
      ['params', task.params === null ? null : JSON.stringify(task.params)],
      ['result', task.result === null ? null : JSON.stringify(task.result)],
    ]),
  ];
  if (attempts.length > 0) {
    const table = layOutTable(attemptColumns(now), null, paint);
    const rows = table.lines(attempts);
    lines.push('', paint('bold', 'Attempts'), ...[table.head(), ...rows].map(indent));
  }
  if (output !== '') {
    const safe = toTerminalOutput(output).split('\n').map(indent);
    lines.push('', paint('bold', 'Last output'), ...safe);
  }
  if (why !== null && why.reasons.length > 0) {
    const reasons = why.reasons.map(({ text }) => `  - ${toLocalTimes(toPlainLine(text))}`);
    lines.push('', paint('bold', 'Why it is not running'), ...reasons);
  }
  return lines;
}

function indent(line: string): string {
  return `  ${line}`;
}

function labelsText({ labels }: Task): string | null {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? null : pairs.join(' ');
}

function ranText(attempts: readonly Attempt[]): string {
  const last = attempts.at(-1);
  if (!last?.endedAt) return '';
  const ms = last.endedAt.getTime() - (last.startedAt ?? last.claimedAt).getTime();
  return `, ran ${formatLength(ms)}`;
}
