/** How queues are told. */
import { formatDuration } from '../app/duration.ts';
import { formatSize } from '../app/size.ts';
import {
  FINAL_STATES,
  type KeyedLimit,
  QUEUE_DEFAULTS,
  type Queue,
  TASK_STATES,
  type TaskCounts,
  type TaskState,
} from '../core/index.ts';
import type { Field } from './fields.ts';
import { formatCount } from './numbers.ts';
import type { Column } from './table.ts';
import { stateStyle } from './task-text.ts';

export interface QueueRow extends Queue {
  readonly counts: TaskCounts;
}

export function sumOf(counts: TaskCounts, states: readonly TaskState[]): number {
  return states.reduce((sum, state) => sum + counts[state], 0);
}

export const WAITING: readonly TaskState[] = ['queued', 'delayed', 'held'];
export const RUNNING: readonly TaskState[] = ['claimed', 'running'];
export const UNFINISHED: readonly TaskState[] = [...WAITING, ...RUNNING];
/** Ended otherwise than well. */
export const UNSUCCESSFUL: readonly TaskState[] = FINAL_STATES.filter((one) => one !== 'succeeded');

/** What runs its tasks. */
export function runnerText({ program, handler }: Pick<Queue, 'program' | 'handler'>): string {
  if (program) return program.argv.map(quote).join(' ');
  return handler === null ? '-' : `handler ${handler}`;
}

function quote(word: string): string {
  return /^[\w./:=@%+,{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function isStopped({ paused, weight }: Queue): boolean {
  return paused || weight === 0;
}

function stateOf(queue: Queue): string {
  if (queue.paused) return 'paused';
  return queue.weight === 0 ? 'weight 0' : 'open';
}

function countColumn<Row>(
  title: string,
  countsOf: (row: Row) => TaskCounts,
  states: readonly TaskState[],
): Column<Row> {
  const [state = 'queued'] = states;
  return {
    title,
    align: 'right',
    text: (row) => formatCount(sumOf(countsOf(row), states)),
    style: (row) => (sumOf(countsOf(row), states) === 0 ? 'dim' : stateStyle(state)),
  };
}

const countsOfRow = ({ counts }: { counts: TaskCounts }): TaskCounts => counts;

export const QUEUE_COLUMNS: readonly Column<QueueRow>[] = [
  { title: 'queue', text: ({ name }) => name },
  { title: 'state', text: stateOf, style: (queue) => (isStopped(queue) ? 'yellow' : null) },
  countColumn('waiting', countsOfRow, WAITING),
  countColumn('running', countsOfRow, RUNNING),
  countColumn('succeeded', countsOfRow, ['succeeded']),
  countColumn('failed', countsOfRow, UNSUCCESSFUL),
  { title: 'priority', text: ({ priority }) => String(priority), align: 'right' },
  { title: 'runs', text: runnerText, isLong: true },
];

export function countColumns<Row extends { readonly counts: TaskCounts }>(): Column<Row>[] {
  return TASK_STATES.map((state) => countColumn<Row>(state, countsOfRow, [state]));
}

/** What is set otherwise than by default, and what everybody wants to know. */
export function queueFields(queue: Queue): Field[] {
  const unlessUsual = <Name extends keyof typeof QUEUE_DEFAULTS>(
    name: Name,
    format: (value: Queue[Name]) => string,
  ): string | null =>
    JSON.stringify(queue[name]) === JSON.stringify(QUEUE_DEFAULTS[name])
      ? null
      : format(queue[name]);

  return [
    ['state', stateOf(queue), isStopped(queue) ? 'yellow' : null],
    ['runs', runnerText(queue)],
    ['in', queue.program?.cwd ?? null],
    ['priority', unlessUsual('priority', String)],
    ['weight', unlessUsual('weight', String)],
    ['order', unlessUsual('order', String)],
    ['max running', unlessUsual('maxRunning', String)],
    ['max per node', unlessUsual('maxRunningPerNode', String)],
    ['limits', unlessUsual('limits', (limits) => limits.map(limitText).join(', '))],
    ['tries', queue.maxAttempts === null ? 'no limit' : `at most ${queue.maxAttempts}`],
    ['retry after', unlessUsual('retry', retryText)],
    ['max claims', unlessUsual('maxClaims', String)],
    ['max run', unlessUsual('maxRunMs', (ms) => formatDuration(ms ?? 0))],
    ['lease', unlessUsual('leaseMs', formatDuration)],
    ['on lost', unlessUsual('onLost', String)],
    ['max losses', unlessUsual('maxLosses', String)],
    ['only nodes', unlessUsual('nodesOnly', (names) => (names ?? []).join(', '))],
    ['not nodes', unlessUsual('nodesNot', (names) => names.join(', '))],
    ['admission', unlessUsual('admission', String)],
    ['continuous', queue.continuous ? `every ${formatDuration(queue.intervalMs)}` : null],
    ['next queue', queue.nextQueue],
    ['keeps', unlessUsual('retention', retentionText)],
    ['max output', unlessUsual('maxOutputBytes', formatSize)],
    ['data', unlessUsual('data', (data) => JSON.stringify(data))],
  ];
}

function limitText({ name, by, max, perMs }: KeyedLimit): string {
  const per = perMs === null ? 'at one time' : `per ${formatDuration(perMs)}`;
  return `${name}: ${max} ${per} for each ${by}`;
}

function retryText({ baseMs, factor, maxMs }: Queue['retry']): string {
  return `${formatDuration(baseMs)}, then × ${factor}, at most ${formatDuration(maxMs)}`;
}

function retentionText({ succeededMs, failedMs }: Queue['retention']): string {
  const length = (ms: number | null): string => (ms === null ? 'for ever' : formatDuration(ms));
  return `succeeded ${length(succeededMs)}, failed ${length(failedMs)}`;
}
