import { z } from 'zod';
import type { Page, Queue, QueueSettings, TaskCounts } from '../../core/index.ts';
import { endpoint } from './endpoint.ts';
import { type InNamespace, inNamespace } from './namespace-endpoints.ts';
import { open, strict } from './object-schemas.ts';
import { pageOf } from './page-schema.ts';
import { PathName } from './path-name.ts';
import { pageFields, queryInt } from './query-values.ts';
import { partialSettingsFields, QueueJson, SettingsJson, TaskCountsJson } from './queue-schemas.ts';
import { Count, Name, Tally } from './wire-values.ts';

const IN_NAMESPACE = '/namespaces/:namespace';
const ONE_QUEUE = `${IN_NAMESPACE}/queues/:queue`;

export interface OneQueue extends InNamespace {
  readonly queue: string;
}

const NamespaceParams = strict<InNamespace>(inNamespace);
export const QueueParams = strict<OneQueue>({ ...inNamespace, queue: PathName });

export const createQueue = endpoint({
  name: 'queues.create',
  method: 'POST',
  path: `${IN_NAMESPACE}/queues`,
  summary: 'Create a queue. What is left out has its default.',
  params: NamespaceParams,
  body: strict<{ name: string } & Partial<QueueSettings>>({ name: Name, ...partialSettingsFields }),
  status: 201,
  answer: QueueJson,
  errors: ['QUEUE_EXISTS'],
});

export const listQueues = endpoint({
  name: 'queues.list',
  method: 'GET',
  path: `${IN_NAMESPACE}/queues`,
  summary: 'List queues by name.',
  params: NamespaceParams,
  query: strict<{ after?: string; limit?: number }>(pageFields),
  answer: pageOf<Queue>(QueueJson) satisfies z.ZodType<Page<Queue>>,
});

export const getQueue = endpoint({
  name: 'queues.get',
  method: 'GET',
  path: ONE_QUEUE,
  summary: 'Get a queue.',
  params: QueueParams,
  answer: QueueJson,
  errors: ['QUEUE_NOT_FOUND'],
});

export const defineQueue = endpoint({
  name: 'queues.define',
  method: 'PUT',
  path: ONE_QUEUE,
  summary: 'Set the whole definition of a queue, making it if need be.',
  notes: 'What is left out gets its default, also where the queue had something else.',
  params: QueueParams,
  body: SettingsJson,
  answer: QueueJson,
});

export const setQueue = endpoint({
  name: 'queues.set',
  method: 'PATCH',
  path: ONE_QUEUE,
  summary: 'Change settings of a queue; what is left out stays.',
  params: QueueParams,
  query: strict<{ revision?: number }>({
    revision: queryInt(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Only if the queue is still at this revision.'),
  }),
  body: SettingsJson,
  answer: QueueJson,
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_CHANGED'],
});

export const pauseQueue = endpoint({
  name: 'queues.pause',
  method: 'POST',
  path: `${ONE_QUEUE}/pause`,
  summary: 'Pause a queue: nothing of it is claimed any more.',
  params: QueueParams,
  answer: QueueJson,
  errors: ['QUEUE_NOT_FOUND'],
});

export const resumeQueue = endpoint({
  name: 'queues.resume',
  method: 'POST',
  path: `${ONE_QUEUE}/resume`,
  summary: 'Resume a paused queue.',
  params: QueueParams,
  answer: QueueJson,
  errors: ['QUEUE_NOT_FOUND'],
});

export const deleteQueue = endpoint({
  name: 'queues.delete',
  method: 'DELETE',
  path: ONE_QUEUE,
  summary: 'Delete a queue.',
  params: QueueParams,
  query: strict<{ tasks?: 'refuse' | 'delete' | 'keep' }>({
    tasks: z
      .enum(['refuse', 'delete', 'keep'])
      .optional()
      .describe('What becomes of its tasks; `refuse` (the default) deletes empty queues only.'),
  }),
  answer: open<{ tasks: number }>({ tasks: Tally }),
  errors: ['QUEUE_NOT_FOUND', 'QUEUE_NOT_EMPTY'],
});

export const countQueues = endpoint({
  name: 'queues.counts',
  method: 'GET',
  path: `${IN_NAMESPACE}/counts`,
  summary: 'Count the tasks of every queue, by state.',
  params: NamespaceParams,
  answer: open<{ counts: { queue: string; counts: TaskCounts }[] }>({
    counts: z.array(
      open<{ queue: string; counts: TaskCounts }>({ queue: Name, counts: TaskCountsJson }),
    ),
  }),
});

export const countQueue = endpoint({
  name: 'queues.countsOf',
  method: 'GET',
  path: `${ONE_QUEUE}/counts`,
  summary: 'Count the tasks of a queue, by state.',
  params: QueueParams,
  answer: TaskCountsJson,
  errors: ['QUEUE_NOT_FOUND'],
});

export interface Admission {
  readonly limit: number;
  readonly lease?: { readonly name: string; readonly term: number };
}

export const admitTasks = endpoint({
  name: 'queues.admit',
  method: 'POST',
  path: `${ONE_QUEUE}/admit`,
  summary: 'Let waiting tasks of a gated queue be claimed.',
  params: QueueParams,
  body: strict<Admission>({
    limit: Count.describe('So many may be admitted and live in all.'),
    lease: strict<{ name: string; term: number }>({ name: Name, term: Count })
      .optional()
      .describe('Only while this lease is held under this term.'),
  }),
  answer: open<{ admitted: number }>({ admitted: Tally }),
  errors: ['QUEUE_NOT_FOUND', 'LEASE_LOST', 'LEASE_HELD'],
});
