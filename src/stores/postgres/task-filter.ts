import type { TaskFilter } from '../../core/store/index.ts';
import { toHoldCode, toStateCode } from './codes.ts';
import type { ShownTask } from './rows.ts';
import { fromLabelsText, fromQuoted, toHex } from './values.ts';

/** Whether a task is all that the filter says. */
export function createTaskFilter(filter: TaskFilter): (task: ShownTask) => boolean {
  const { labels, search, node } = filter;
  const queueIds = filter.queueIds && new Set(filter.queueIds);
  const states = filter.states && new Set(filter.states.map(toStateCode));
  const ids = filter.ids && new Set(filter.ids);
  const keys = filter.keys && new Set(filter.keys.map(toHex));
  const hold = filter.hold === undefined ? undefined : toHoldCode(filter.hold);
  const createdAfter = filter.createdAfter?.getTime() ?? Number.NEGATIVE_INFINITY;
  const createdBefore = filter.createdBefore?.getTime() ?? Number.POSITIVE_INFINITY;

  return (task) =>
    (!queueIds || queueIds.has(task.queueId)) &&
    (!states || states.has(task.state)) &&
    (!ids || ids.has(task.id)) &&
    (!keys || (task.key !== null && keys.has(task.key))) &&
    (node === undefined || task.nodeName === node) &&
    (hold === undefined || task.hold === hold) &&
    task.createdAt > createdAfter &&
    task.createdAt < createdBefore &&
    (!labels || hasLabels(task, labels)) &&
    (search === undefined || mentions(task, search));
}

function hasLabels(task: ShownTask, wanted: Readonly<Record<string, string>>): boolean {
  const labels = fromLabelsText(task.labels);
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}

function mentions({ key, error, params }: ShownTask, text: string): boolean {
  return (
    (key !== null && Buffer.from(key, 'hex').includes(Buffer.from(text, 'utf8'))) ||
    (error !== null && fromQuoted(error).includes(text)) ||
    params.includes(text)
  );
}
