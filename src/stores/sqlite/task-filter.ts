import type { TaskFilter } from '../../core/store/index.ts';
import { toHoldCode, toStateCode } from './codes.ts';
import { HIDDEN } from './queue-cache.ts';
import { fromLabelsText, fromQuoted, type TaskRow } from './rows.ts';
import type { Session } from './session.ts';

/** What of a task a filter looks at. */
export type FilteredTask = Pick<
  TaskRow,
  'queue' | 'id' | 'state' | 'key' | 'node' | 'hold' | 'createdAt' | 'labels' | 'error' | 'params'
>;

/** Whether a task of the namespace is all that the filter says. */
export function createTaskFilter(
  session: Session,
  namespace: string,
  filter: TaskFilter,
): (task: FilteredTask) => boolean {
  const { labels, search } = filter;
  const queueIds = filter.queueIds && new Set(filter.queueIds);
  const states = filter.states && new Set(filter.states.map(toStateCode));
  const ids = filter.ids && new Set(filter.ids);
  const keys = filter.keys && new Set(filter.keys.map(toHex));
  const hold = filter.hold === undefined ? undefined : toHoldCode(filter.hold);
  const node = filter.node === undefined ? undefined : rowOfNode(session, namespace, filter.node);
  const createdAfter = filter.createdAfter?.getTime() ?? Number.NEGATIVE_INFINITY;
  const createdBefore = filter.createdBefore?.getTime() ?? Number.POSITIVE_INFINITY;

  return (task) => {
    const { fate, queue } = session.queues.getByRow(task.queue);
    return (
      fate !== HIDDEN &&
      queue.namespace === namespace &&
      (!queueIds || queueIds.has(queue.id)) &&
      (!states || states.has(task.state)) &&
      (!ids || ids.has(task.id)) &&
      (!keys || (task.key !== null && keys.has(toHex(task.key)))) &&
      (node === undefined || task.node === node) &&
      (hold === undefined || task.hold === hold) &&
      task.createdAt > createdAfter &&
      task.createdAt < createdBefore &&
      (!labels || hasLabels(task, labels)) &&
      (search === undefined || mentions(task, search))
    );
  };
}

/** Of a name that nobody has: the row of no node. */
function rowOfNode({ nodes }: Session, namespace: string, name: string): number {
  return nodes.find(namespace, name)?.row ?? 0;
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function hasLabels(task: FilteredTask, wanted: Readonly<Record<string, string>>): boolean {
  const labels = fromLabelsText(task.labels);
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}

function mentions({ key, error, params }: FilteredTask, text: string): boolean {
  return (
    (key !== null && Buffer.from(key).includes(Buffer.from(text, 'utf8'))) ||
    (error !== null && fromQuoted(error).includes(text)) ||
    params.includes(text)
  );
}
