import { z } from 'zod';
import {
  BULK_ACTIONS,
  type BulkAnswer,
  type BulkRequest,
  TASK_STATES,
  type Task,
  type WaitAnswer,
  type WaitRequest,
  type WhyAnswer,
  type WhyReason,
} from '../../core/index.ts';
import { type Endpoint, endpoint, LONGEST_WAIT_MS } from './endpoint.ts';
import { open, strict } from './object-schemas.ts';
import { NamespaceParams, type OneTask, TaskParams } from './task-endpoints.ts';
import { EditJson, SelectionJson, TaskJson } from './task-schemas.ts';
import { Tally } from './wire-values.ts';

const TASKS = '/namespaces/:namespace/tasks';
const ONE_TASK = `${TASKS}/:task`;

function taskAction(name: string, summary: string): Endpoint<OneTask, unknown, unknown, Task> {
  return endpoint<OneTask, unknown, unknown, Task>({
    name: `tasks.${name}`,
    method: 'POST',
    path: `${ONE_TASK}/${name}`,
    summary,
    params: TaskParams,
    answer: TaskJson,
    errors: ['TASK_NOT_FOUND', 'TASK_STATE'],
  });
}

export const cancelTask = taskAction(
  'cancel',
  'Cancel a waiting task, or ask for a running one to be stopped.',
);
export const retryTask = taskAction(
  'retry',
  'Put an ended task back in its queue with fresh tries.',
);
export const holdTask = taskAction('hold', 'Hold a waiting task back.');
export const releaseTask = taskAction('release', 'Let a held task go on.');

export const deleteTask = endpoint({
  name: 'tasks.delete',
  method: 'DELETE',
  path: ONE_TASK,
  summary: 'Delete a task with its attempts and output.',
  params: TaskParams,
  errors: ['TASK_NOT_FOUND'],
});

export const bulkTasks = endpoint({
  name: 'tasks.bulk',
  method: 'POST',
  path: `${TASKS}/bulk`,
  summary: 'Do one thing to all tasks that match a filter.',
  params: NamespaceParams,
  body: strict<BulkRequest>({
    action: z.enum(BULK_ACTIONS),
    filter: SelectionJson,
    change: EditJson.optional().describe('With `edit` only.'),
    all: z.boolean().optional().describe('Needed with an empty filter.'),
    dryRun: z.boolean().optional().describe('Only count what matches.'),
  }),
  answer: open<BulkAnswer>({ matched: Tally, changed: Tally }),
  errors: ['QUEUE_NOT_FOUND'],
});

export const whyTask = endpoint({
  name: 'tasks.why',
  method: 'GET',
  path: `${ONE_TASK}/why`,
  summary: 'Say why a task is not running.',
  params: TaskParams,
  answer: open<WhyAnswer>({
    state: z.enum(TASK_STATES),
    reasons: z.array(open<WhyReason>({ code: z.string(), text: z.string() })),
  }),
  errors: ['TASK_NOT_FOUND'],
});

export const waitForTasks = endpoint({
  name: 'tasks.wait',
  method: 'POST',
  path: `${TASKS}/wait`,
  summary: 'Wait until all tasks that match have ended, or the time is over.',
  repeat: 'read',
  waits: true,
  params: NamespaceParams,
  body: strict<WaitRequest>({
    filter: SelectionJson,
    timeoutMs: z.int().min(0).max(LONGEST_WAIT_MS),
  }),
  answer: open<WaitAnswer>({ done: z.boolean(), unfinished: Tally }),
  errors: ['QUEUE_NOT_FOUND'],
});
