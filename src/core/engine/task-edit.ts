import { checkDate, checkJson, checkLabels, checkNumber } from '../domain/check.ts';
import { invalid } from '../errors.ts';
import type { TaskEdit } from './task-operations.ts';

export function checkTaskEdit(edit: TaskEdit): void {
  const { priority, priorityBy, params, notBefore, labels } = edit;
  if (Object.keys(edit).length === 0)
    throw invalid('change', 'it changes nothing', 'Say what to change');
  if (priority !== undefined) checkNumber('change.priority', priority);
  if (priorityBy !== undefined) checkNumber('change.priorityBy', priorityBy);
  if (params !== undefined) checkJson('change.params', params);
  if (notBefore != null) checkDate('change.notBefore', notBefore);
  if (labels !== undefined) checkLabels('change.labels', labels);
}
