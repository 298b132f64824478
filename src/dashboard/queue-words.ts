/** A queue's settings as sentences, for people who did not write them. */
import type { KeyedLimit, Queue, QueueSettings } from '../core/index.ts';
import { bytesText, countOf, countText } from './number-text.ts';
import { durationText } from './time-text.ts';

export interface Saying {
  readonly about: string;
  readonly text: string;
}

export function queueSayings(queue: Queue): Saying[] {
  const sayings: (Saying | null)[] = [
    { about: 'Runs', text: runsText(queue) },
    { about: 'At once', text: limitsText(queue) || 'As many as the nodes have slots' },
    { about: 'Order', text: orderText(queue) },
    { about: 'Tries', text: triesText(queue) },
    queue.maxRunMs === null
      ? null
      : {
          about: 'Time limit',
          text: `An attempt is stopped after ${durationText(queue.maxRunMs)}`,
        },
    { about: 'If a node is lost', text: lostText(queue) },
    nodesText(queue),
    queue.admission === 'gated'
      ? { about: 'Gate', text: 'Tasks wait until the queue admits them' }
      : null,
    queue.continuous
      ? {
          about: 'Continuous',
          text: `Makes a task of its own when idle, at most every ${durationText(queue.intervalMs)}`,
        }
      : null,
    queue.nextQueue === null ? null : { about: 'Passes on to', text: queue.nextQueue },
    { about: 'Keeps', text: keepsText(queue) },
  ];
  return sayings.filter((saying) => saying !== null);
}

/** The limits in as few words as a table has room for; "" without. */
export function limitsText({ maxRunning, maxRunningPerNode, limits }: QueueSettings): string {
  return [
    ...(maxRunning === null ? [] : [`at most ${countText(maxRunning)}`]),
    ...(maxRunningPerNode === null ? [] : [`${countText(maxRunningPerNode)} per node`]),
    ...limits.map(keyedText),
  ].join(', ');
}

function keyedText({ by, max, perMs }: KeyedLimit): string {
  const window = perMs === null ? '' : ` in ${durationText(perMs)}`;
  return `${countText(max)} per ${by}${window}`;
}

function runsText({ handler, program, name }: Queue): string {
  if (program) return `Program ${program.argv.map(toShellWord).join(' ')}`;
  return `Handler ${handler ?? name}`;
}

function orderText({ order, priority, weight }: QueueSettings): string {
  const orders = {
    fifo: 'First in, first out',
    lifo: 'Last in, first out',
    key: 'By key',
  } as const;
  const share = weight <= 0 ? 'weight 0: gets nothing' : `weight ${countText(weight)}`;
  return `${orders[order]}; priority ${countText(priority)}, ${share}`;
}

function triesText({ maxAttempts, maxClaims, retry }: QueueSettings): string {
  const tries =
    maxAttempts === null ? 'Until it succeeds' : `Up to ${countOf(maxAttempts, 'time')}`;
  const claims = maxClaims === null ? '' : `, at most ${countOf(maxClaims, 'claim')}`;
  if (maxAttempts === 1) return `Once${claims}`;
  const wait =
    retry.baseMs === 0
      ? 'at once'
      : `after about ${durationText(retry.baseMs)}, then × ${retry.factor} up to ${durationText(retry.maxMs)}`;
  return `${tries}, again ${wait}${claims}`;
}

function lostText({ onLost, maxLosses, leaseMs }: QueueSettings): string {
  const what = {
    requeue: 'The task goes back to the queue',
    park: 'The task is set aside as orphaned',
    fail: 'The task fails',
  } as const;
  const after = ` when ${durationText(leaseMs)} pass without a sign of life`;
  const quarantine =
    onLost === 'requeue' && maxLosses !== null
      ? `; held after ${countOf(maxLosses, 'loss', 'losses')}`
      : '';
  return `${what[onLost]}${after}${quarantine}`;
}

function nodesText({ nodesOnly, nodesNot }: QueueSettings): Saying | null {
  if (nodesOnly === null && nodesNot.length === 0) return null;
  const only = nodesOnly === null ? 'All' : `Only ${nodesOnly.join(', ') || 'none'}`;
  const not = nodesNot.length === 0 ? '' : ` but ${nodesNot.join(', ')}`;
  return { about: 'Nodes', text: `${only}${not}` };
}

function keepsText({ retention, maxOutputBytes }: QueueSettings): string {
  const { succeededMs, failedMs } = retention;
  const length = (ms: number | null): string => (ms === null ? 'for ever' : durationText(ms));
  const output = `${bytesText(maxOutputBytes)} of output per attempt`;
  if (succeededMs === failedMs) return `Ended tasks ${length(succeededMs)}; ${output}`;
  return `Succeeded tasks ${length(succeededMs)}, failed ones ${length(failedMs)}; ${output}`;
}

function toShellWord(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
