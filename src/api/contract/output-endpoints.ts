import { z } from 'zod';
import {
  OUTPUT_STREAMS,
  type OutputChunk,
  type OutputPage,
  type ReadRequest,
} from '../../core/index.ts';
import { endpoint, LONGEST_WAIT_MS } from './endpoint.ts';
import { open, strict } from './object-schemas.ts';
import { queryInt } from './query-values.ts';
import { TaskParams } from './task-endpoints.ts';
import { Bytes, Fence, Instant, listOf, Tally } from './wire-values.ts';

const OUTPUT = '/namespaces/:namespace/tasks/:task/output';
const MOST = Number.MAX_SAFE_INTEGER;
const LARGEST_READ_BYTES = 4 * 1024 * 1024;

const chunkFields = {
  number: Tally.describe('From 1, across all streams.'),
  stream: z.enum(OUTPUT_STREAMS),
  offset: Tally.describe('Bytes of this stream before this chunk.'),
  bytes: Bytes,
};

const OutputPageJson = open<OutputPage>({
  fence: Fence.nullable(),
  chunks: z.array(open<OutputChunk>({ ...chunkFields, at: Instant })),
  ended: z.boolean().describe('No more will come.'),
}).meta({ id: 'OutputPage' });

export interface OutputBody {
  readonly fence: number;
  readonly chunks: readonly Omit<OutputChunk, 'at'>[];
}

export const appendOutput = endpoint({
  name: 'outputs.append',
  method: 'POST',
  path: OUTPUT,
  summary: 'Keep what a live attempt wrote.',
  repeat: 'safe',
  params: TaskParams,
  body: strict<OutputBody>({
    fence: Fence,
    chunks: listOf(strict<Omit<OutputChunk, 'at'>>(chunkFields)),
  }),
  errors: ['LEASE_LOST'],
});

const fence = queryInt(0, MOST).optional().describe('Which attempt; the last if left out.');
const limitBytes = queryInt(1, LARGEST_READ_BYTES).optional();

export const readOutput = endpoint({
  name: 'outputs.read',
  method: 'GET',
  path: OUTPUT,
  summary: 'Read what an attempt wrote.',
  waits: true,
  params: TaskParams,
  query: strict<Omit<ReadRequest, 'signal'>>({
    fence,
    after: queryInt(0, MOST).optional().describe('The number of the last chunk you have.'),
    limitBytes,
    waitMs: queryInt(0, LONGEST_WAIT_MS).optional().describe('Wait for more that long.'),
  }),
  answer: OutputPageJson,
  errors: ['TASK_NOT_FOUND', 'ATTEMPT_NOT_FOUND'],
});

export const tailOutput = endpoint({
  name: 'outputs.tail',
  method: 'GET',
  path: `${OUTPUT}/tail`,
  summary: 'Read the end of what an attempt wrote.',
  params: TaskParams,
  query: strict<{ fence?: number; limitBytes?: number }>({ fence, limitBytes }),
  answer: OutputPageJson,
  errors: ['TASK_NOT_FOUND', 'ATTEMPT_NOT_FOUND'],
});
