import { createHash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Claim, Store } from '../../src/core/store/index.ts';
import { addClaimed, addQueue } from '../conformance/store/store-reading.ts';
import { aSettlement, at, NOON } from '../support/builders.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);
const files = database.db.collection('tasks.files');
const chunks = database.db.collection('tasks.chunks');

async function write(store: Store, claim: Claim, stream: 'stdout' | 'stderr', text: string) {
  const bytes = Buffer.from(text, 'utf8');
  for (let from = 0, number = stream === 'stdout' ? 1 : 1000; from < bytes.length; number++) {
    const piece = bytes.subarray(from, from + 1_000_000);
    const chunk = { number, stream, offset: from, bytes: piece };
    const { taskId, fence } = claim;
    const append = { namespace: 'default', taskId, fence, chunks: [chunk] };
    expect(await store.outputs.append(append, at(NOON))).toBe('kept');
    from += piece.length;
  }
}

async function finish(store: Store, claim: Claim) {
  await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
  return program.get(new ObjectId(claim.taskId));
}

/** As Disbatch reads it: the chunks by number, joined. */
async function readFile(id: ObjectId): Promise<string> {
  const found = await chunks.find({ files_id: id }).sort({ n: 1 }).toArray();
  return found.map(({ data }) => data).join('');
}

describe('the output of a task, as Disbatch has it', () => {
  it('[D4-59] is null at first, then text in the task', async () => {
    await using store = await database.openEmpty();
    const claim = await addClaimed(store, await addQueue(store));
    const before = await program.get(new ObjectId(claim.taskId));
    await write(store, claim, 'stdout', 'hello ünï 😀\n');

    const after = await finish(store, claim);

    expect(before).toMatchObject({ stdout: null, stderr: null });
    expect(after).toMatchObject({ stdout: 'hello ünï 😀\n', stderr: null, complete: true });
  });

  it('[D4-37] comes with status and mtime in one update', async () => {
    await using store = await database.openEmpty();
    const claim = await addClaimed(store, await addQueue(store));
    await write(store, claim, 'stdout', 'out');
    await write(store, claim, 'stderr', 'err');
    await database.db.setProfilingLevel('all');

    await finish(store, claim);

    await database.db.setProfilingLevel('off');
    const profile = database.db.collection('system.profile');
    const namespace = `${database.db.databaseName}.tasks`;
    const updates = await profile.find({ ns: namespace, op: 'update' }).toArray();
    await profile.drop();
    const changed = updates.map(({ command }) => Object.keys(command.u.$set));
    expect(changed).toHaveLength(1);
    expect(changed[0]).toEqual(expect.arrayContaining(['status', 'stdout', 'stderr', 'complete']));
  });

  it('[D4-70, D4-71, D4-72, D4-73] goes to GridFS as text when it is long, and the task stays small', async () => {
    await using store = await database.openEmpty();
    const claim = await addClaimed(store, await addQueue(store));
    const text = 'ä😀漢x'.repeat(2_000_000); // 20 MB
    await write(store, claim, 'stdout', text);
    await write(store, claim, 'stderr', 'x'.repeat(300_000));

    const document = await finish(store, claim);

    expect(document.stdout).toBeInstanceOf(ObjectId);
    expect((await readFile(document.stdout)) === text).toBe(true);
    expect(JSON.stringify(document).length).toBeLessThan(10_000);
    const file = await files.findOne({ _id: document.stdout });
    const bytes = Buffer.from(text, 'utf8');
    expect(file).toMatchObject({
      filename: 'stdout',
      metadata: { task_id: new ObjectId(claim.taskId) },
      chunkSize: 261_120,
      length: bytes.length,
      md5: createHash('md5').update(bytes).digest('hex'),
    });
    const [chunk] = await chunks.find({ files_id: document.stdout }).limit(1).toArray();
    expect(typeof chunk?.data).toBe('string');
    expect([...(chunk?.data ?? '')]).toHaveLength(261_120);
    const names = await files.find({ 'metadata.task_id': new ObjectId(claim.taskId) }).toArray();
    expect(names.map(({ filename }) => filename).sort()).toEqual(['stderr', 'stdout']);
  });

  it('goes with the task when that is deleted', async () => {
    await using store = await database.openEmpty();
    const claim = await addClaimed(store, await addQueue(store));
    await write(store, claim, 'stdout', 'x'.repeat(300_000));
    await finish(store, claim);

    await store.tasks.delete({ namespace: 'default', ids: [claim.taskId] }, at(NOON));

    expect(await files.countDocuments()).toBe(0);
    expect(await chunks.countDocuments()).toBe(0);
    expect(await database.db.collection('batchyard.output').countDocuments()).toBe(0);
  });

  it('is null again when the task waits for another run', async () => {
    await using store = await database.openEmpty();
    const claim = await addClaimed(store, await addQueue(store));
    await write(store, claim, 'stdout', 'first run');
    await finish(store, claim);

    const retry = { namespace: 'default', ids: [claim.taskId], move: 'retry' } as const;
    await store.tasks.move(retry, at(NOON));

    expect(await program.get(new ObjectId(claim.taskId))).toMatchObject({
      stdout: null,
      stderr: null,
      node: null,
      status: -2,
    });
  });
});
