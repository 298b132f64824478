import { describe, expect, it } from 'vitest';
import {
  addClaimed,
  addQueue,
  addTask,
  getQueue,
} from '../../../test/conformance/store/store-reading.ts';
import {
  aSettlement,
  at,
  bytes,
  after as dateAfter,
  NOON,
} from '../../../test/support/builders.ts';
import { createModelStore } from '../../../test/support/model-store/model-store.ts';
import type { ArchivedTask } from '../store/index.ts';
import { createArchiveDigest } from './archive-digest.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { readArchive } from './read-archive.ts';

/** A queue with a finished task that has output, and one that waits. */
async function someRecords(): Promise<ArchiveRecord[]> {
  const store = createModelStore();
  const made = await addQueue(store);
  const { taskId, fence } = await addClaimed(store, made);
  const chunk = { number: 1, stream: 'stdout', offset: 0, bytes: bytes(1, 2) } as const;
  const append = { namespace: 'default', taskId, fence, chunks: [chunk] };
  await store.outputs.append(append, at(NOON));
  await store.attempts.settle('default', [aSettlement({ taskId, fence })], at(NOON));
  await addTask(store, made, { notBefore: dateAfter(NOON, 1) });
  expect(await getQueue(store, made)).toMatchObject({ paused: false });
  const records: ArchiveRecord[] = [];
  for await (const record of readArchive(store, { namespaces: null })) records.push(record);
  return records;
}

function hashOf(records: readonly ArchiveRecord[]): string | undefined {
  const digest = createArchiveDigest();
  for (const record of records) digest.add(record);
  return digest.end()[0]?.hash;
}

function changeTasks(
  records: readonly ArchiveRecord[],
  change: (archived: ArchivedTask) => Partial<ArchivedTask>,
): ArchiveRecord[] {
  return records.map((one) => (one.kind === 'task' ? { ...one, ...change(one) } : one));
}

describe("a queue's hash", () => {
  it('is another when a task, an attempt, output or a setting is', async () => {
    const records = await someRecords();
    const others: ArchiveRecord[][] = [
      records.slice(0, -1),
      changeTasks(records, ({ task }) => ({ task: { ...task, params: { a: 1 } } })),
      changeTasks(records, ({ task }) => ({ task: { ...task, hold: 'operator', state: 'held' } })),
      changeTasks(records, () => ({ rank: bytes(9) })),
      changeTasks(records, () => ({ uniqueKey: 'u' })),
      changeTasks(records, ({ attempts }) => ({
        attempts: attempts.map((one) => ({ ...one, claimedAt: dateAfter(one.claimedAt, 1) })),
      })),
      changeTasks(records, ({ attempts }) => ({
        attempts: attempts.map((one) => ({ ...one, data: { other: 1 } })),
      })),
      records.map((one) =>
        one.kind === 'output'
          ? { ...one, chunks: one.chunks.map((chunk) => ({ ...chunk, bytes: bytes(1, 3) })) }
          : one,
      ),
      records.map((one) =>
        one.kind === 'queue' ? { ...one, queue: { ...one.queue, maxRunning: 77 } } : one,
      ),
    ];

    const hashes = [records, ...others].map(hashOf);

    expect(new Set(hashes).size).toBe(others.length + 1);
  });

  it('stays when a copy, a drain or the passing of time made the difference', async () => {
    const records = await someRecords();
    const copied = changeTasks(records, ({ task }) => ({
      task: {
        ...task,
        fence: task.fence + 1_000_000,
        updatedAt: dateAfter(NOON, 5),
        state: task.state === 'delayed' ? 'queued' : task.state,
      },
    })).map((one) =>
      one.kind === 'queue'
        ? { ...one, queue: { ...one.queue, paused: true, revision: 9, updatedAt: NOON } }
        : one,
    );

    expect(hashOf(copied)).toBe(hashOf(records));
  });
});
