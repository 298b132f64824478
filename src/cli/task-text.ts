/** How tasks and attempts are told in one line. */
import {
  type Attempt,
  isFinal,
  type Json,
  keyText,
  type Task,
  type TaskState,
} from '../core/index.ts';
import type { Column, Style } from './table.ts';
import { formatAgo, formatLength, formatLocal } from './times.ts';

const STATE_STYLES: Readonly<Partial<Record<TaskState, Style>>> = {
  running: 'cyan',
  claimed: 'cyan',
  succeeded: 'green',
  failed: 'red',
  orphaned: 'red',
  terminated: 'yellow',
  cancelled: 'yellow',
  held: 'yellow',
};

export function stateStyle(state: TaskState): Style | null {
  return STATE_STYLES[state] ?? null;
}

/** What tells this task from its neighbours: its key, its item, or its params. */
export function subjectOf({ key, params }: Pick<Task, 'key' | 'params'>): string {
  if (key !== null) return keyText(key);
  if (isObject(params)) {
    const names = Object.keys(params);
    const { item } = params;
    if (names.length === 1 && typeof item === 'string') return item;
    if (names.length === 1 && typeof item === 'number') return String(item);
    if (names.length === 0) return '-';
  }
  return params === null ? '-' : JSON.stringify(params);
}

/** What a reader wants to know next, by state. */
function remarkOn(task: Task, now: Date): string {
  if (task.attempt !== null) {
    const { node, startedAt, claimedAt } = task.attempt;
    const sinceMs = now.getTime() - (startedAt ?? claimedAt).getTime();
    return `on ${node} for ${formatLength(sinceMs)}${task.cancelRequestedAt ? ', asked to stop' : ''}`;
  }
  if (task.state === 'delayed' && task.notBefore) return `due ${formatAgo(task.notBefore, now)}`;
  if (task.state === 'held') return task.hold ?? '';
  if (task.state === 'succeeded') return '';
  return task.error ?? '';
}

export function taskColumns(now: Date): readonly Column<Task>[] {
  return [
    { title: 'id', text: ({ id }) => id },
    { title: 'queue', text: ({ queue }) => queue },
    { title: 'state', text: ({ state }) => state, style: ({ state }) => stateStyle(state) },
    { title: 'tries', text: ({ tryCount }) => String(tryCount), align: 'right' },
    { title: 'created', text: ({ createdAt }) => formatAgo(createdAt, now), align: 'right' },
    { title: 'task', text: subjectOf, isLong: true },
    { title: 'remark', text: (task) => remarkOn(task, now), isLong: true },
  ];
}

export function attemptColumns(now: Date): readonly Column<Attempt>[] {
  return [
    { title: 'attempt', text: ({ fence }) => String(fence), align: 'right' },
    { title: 'node', text: ({ node }) => node },
    { title: 'started', text: ({ startedAt, claimedAt }) => formatLocal(startedAt ?? claimedAt) },
    { title: 'ran', text: (attempt) => ranFor(attempt, now), align: 'right' },
    {
      title: 'outcome',
      text: ({ outcome, startedAt }) => outcome ?? (startedAt ? 'running' : 'claimed'),
      style: ({ outcome }) => outcomeStyle(outcome),
    },
    { title: 'code', text: ({ code }) => (code === null ? '-' : String(code)), align: 'right' },
    { title: 'error', text: ({ error }) => error ?? '', isLong: true },
  ];
}

function ranFor({ startedAt, claimedAt, endedAt }: Attempt, now: Date): string {
  return formatLength((endedAt ?? now).getTime() - (startedAt ?? claimedAt).getTime());
}

function outcomeStyle(outcome: Attempt['outcome']): Style | null {
  if (outcome === null) return 'cyan';
  if (outcome === 'succeeded' || outcome === 'continued') return 'green';
  return outcome === 'failed' || outcome === 'timed-out' || outcome === 'orphaned'
    ? 'red'
    : 'yellow';
}

/** `failed`, and why, in a few words; the code where nothing else tells. */
export function stateText(task: Task, now: Date): string {
  const remark = remarkOn(task, now);
  const hasCode = isFinal(task.state) && task.code !== null && task.code !== 0;
  const detail = remark === '' && hasCode ? `code ${task.code}` : remark;
  return detail === '' ? task.state : `${task.state}: ${detail}`;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
