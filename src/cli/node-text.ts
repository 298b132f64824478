import type { Node } from '../core/index.ts';
import type { Field } from './fields.ts';
import type { Column, Style } from './table.ts';
import { formatAgo, formatTime } from './times.ts';

const WISH_TEXT = { work: 'live', drain: 'draining', cordon: 'cordoned' } as const;

/** What a node is doing, in one word. */
function nodeState(node: Node, now: Date): string {
  if (!node.active) return 'gone';
  if (node.expiresAt <= now) return 'dead';
  return WISH_TEXT[node.wish];
}

function styleOf(node: Node, now: Date): Style | null {
  const state = nodeState(node, now);
  if (state === 'live') return 'green';
  return state === 'dead' ? 'red' : 'yellow';
}

export function nodeColumns(now: Date): readonly Column<Node>[] {
  return [
    { title: 'node', text: ({ name }) => name },
    { title: 'state', text: (node) => nodeState(node, now), style: (node) => styleOf(node, now) },
    { title: 'running', text: ({ runningCount }) => String(runningCount), align: 'right' },
    { title: 'slots', text: ({ slots }) => String(slots), align: 'right' },
    { title: 'limit', text: ({ maxRunning }) => String(maxRunning ?? '-'), align: 'right' },
    { title: 'runs', text: runsText, isLong: true },
    { title: 'version', text: ({ version }) => version || '-' },
    { title: 'seen', text: ({ heartbeatAt }) => formatAgo(heartbeatAt, now), align: 'right' },
  ];
}

function runsText({ handlers, programs }: Node): string {
  const all = [...(programs ? ['programs'] : []), ...(handlers ?? ['any handler'])];
  return all.length === 0 ? '-' : all.join(', ');
}

export function nodeFields(node: Node, now: Date): Field[] {
  return [
    ['state', nodeState(node, now), styleOf(node, now)],
    ['running', `${node.runningCount} in ${node.slots} slots`],
    ['limit', node.maxRunning === null ? null : String(node.maxRunning)],
    ['runs', runsText(node)],
    ['only queues', node.queuesOnly?.join(', ') ?? null],
    ['not queues', node.queuesNot.length === 0 ? null : node.queuesNot.join(', ')],
    ['mode', node.mode || null],
    ['parent', node.parent],
    ['host', node.host || null],
    ['pid', node.pid === null ? null : String(node.pid)],
    ['version', node.version || null],
    ['first seen', formatTime(node.createdAt, now)],
    ['last seen', formatTime(node.heartbeatAt, now)],
  ];
}
