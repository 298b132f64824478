import { z } from 'zod';
import {
  HOLD_REASONS,
  type OnConflict,
  type Submitted,
  TASK_STATES,
  type Task,
  type TaskPageRequest,
  type TaskSelection,
  type TaskSubmission,
} from '../../core/index.ts';
import { endpoint, NDJSON } from './endpoint.ts';
import { type InNamespace, inNamespace } from './namespace-endpoints.ts';
import { open, strict } from './object-schemas.ts';
import { pageOf } from './page-schema.ts';
import { PathName } from './path-name.ts';
import { pageFields, QueryKey, QueryLabels, queryList } from './query-values.ts';
import { type OneQueue, QueueParams } from './queue-endpoints.ts';
import {
  EditJson,
  SelectionJson,
  SubmissionJson,
  SubmittedJson,
  TaskJson,
} from './task-schemas.ts';
import { Instant, listOf, Name } from './wire-values.ts';

const TASKS = '/namespaces/:namespace/tasks';
const ONE_TASK = `${TASKS}/:task`;

export interface OneTask extends InNamespace {
  readonly task: string;
}

export const NamespaceParams = strict<InNamespace>(inNamespace);
export const TaskParams = strict<OneTask>({ ...inNamespace, task: PathName });

const OnConflictJson = z
  .enum(['refuse', 'replace', 'skip'])
  .optional()
  .describe('When the key is there already; `refuse` if left out.');

export interface SubmitBody {
  readonly tasks: readonly TaskSubmission[];
  readonly onConflict?: OnConflict;
}

export const submitTasks = endpoint<
  OneQueue,
  { onConflict?: OnConflict },
  SubmitBody,
  { tasks: Submitted[] }
>({
  name: 'tasks.submit',
  method: 'POST',
  path: '/namespaces/:namespace/queues/:queue/tasks',
  summary: 'Submit tasks to a queue, all or none.',
  notes: [
    `With content type ${NDJSON} the body has one task per line and any length, and \`onConflict\``,
    'stands in the query. Lines are taken in as they come, a thousand at a time; a bad line is',
    'reported and passed over. The answer is NDJSON: `{"submitted": n}` from time to time, and at',
    'the end a line with `done`, the counts and the first 100 errors. With an Idempotency-Key a',
    'broken upload can be repeated as a whole and adds nothing twice.',
  ].join(' '),
  streams: true,
  params: QueueParams,
  query: strict<{ onConflict?: OnConflict }>({ onConflict: OnConflictJson }),
  body: strict<SubmitBody>({ tasks: listOf(SubmissionJson), onConflict: OnConflictJson }),
  status: 201,
  answer: open<{ tasks: Submitted[] }>({ tasks: z.array(SubmittedJson) }),
  errors: ['QUEUE_NOT_FOUND', 'TASK_EXISTS'],
});

export const findTaskByKey = endpoint({
  name: 'tasks.findByKey',
  method: 'GET',
  path: '/namespaces/:namespace/queues/:queue/task-by-key',
  summary: 'Find the task of a queue that has a key; null when there is none.',
  params: QueueParams,
  query: strict<{ key: z.output<typeof QueryKey> }>({
    key: QueryKey.describe('Text, or `base64:` and the bytes.'),
  }),
  answer: open<{ task: Task | null }>({ task: TaskJson.nullable() }),
  errors: ['QUEUE_NOT_FOUND'],
});

const sortFields = {
  sort: z.enum(['id', 'key']).optional().describe('`id` (by age) if left out.'),
  direction: z.enum(['asc', 'desc']).optional().describe('`desc`, newest first, if left out.'),
};

export const listTasks = endpoint({
  name: 'tasks.list',
  method: 'GET',
  path: TASKS,
  summary: 'List tasks, newest first.',
  notes: 'A page may be short and still have a `next`. Long filters go to `tasks/search`.',
  params: NamespaceParams,
  query: strict<ListQuery>({
    queue: queryList(Name).optional(),
    state: queryList(z.enum(TASK_STATES), TASK_STATES).optional(),
    id: queryList(Name).optional(),
    key: queryList(QueryKey).optional(),
    label: QueryLabels.optional().describe('`name:value`; all of them must match.'),
    node: Name.optional(),
    hold: z.enum(HOLD_REASONS).optional(),
    createdAfter: Instant.optional(),
    createdBefore: Instant.optional(),
    search: z.string().max(1024).optional(),
    ...sortFields,
    ...pageFields,
  }),
  answer: pageOf<Task>(TaskJson),
  errors: ['QUEUE_NOT_FOUND'],
});

/** The fields of a selection under the names a query gives them. */
export interface ListQuery
  extends Pick<TaskSelection, 'node' | 'hold' | 'createdAfter' | 'createdBefore' | 'search'>,
    Omit<TaskPageRequest, 'after'> {
  readonly after?: string;
  readonly queue?: TaskSelection['queues'];
  readonly state?: TaskSelection['states'];
  readonly id?: TaskSelection['ids'];
  readonly key?: TaskSelection['keys'];
  readonly label?: TaskSelection['labels'];
}

export interface SearchBody extends TaskPageRequest {
  readonly filter?: TaskSelection;
}

export const searchTasks = endpoint({
  name: 'tasks.search',
  method: 'POST',
  path: `${TASKS}/search`,
  summary: 'List tasks by a filter of any length.',
  repeat: 'read',
  params: NamespaceParams,
  body: strict<SearchBody>({
    filter: SelectionJson.optional(),
    ...sortFields,
    after: z.string().max(20_000).nullable().optional(),
    limit: z.int().min(1).max(1000).optional(),
  }),
  answer: pageOf<Task>(TaskJson),
  errors: ['QUEUE_NOT_FOUND'],
});

export const getTask = endpoint({
  name: 'tasks.get',
  method: 'GET',
  path: ONE_TASK,
  summary: 'Get a task.',
  params: TaskParams,
  answer: TaskJson,
  errors: ['TASK_NOT_FOUND'],
});

export const editTask = endpoint({
  name: 'tasks.edit',
  method: 'PATCH',
  path: ONE_TASK,
  summary: 'Change a task.',
  params: TaskParams,
  body: EditJson,
  answer: TaskJson,
  errors: ['TASK_NOT_FOUND'],
});
