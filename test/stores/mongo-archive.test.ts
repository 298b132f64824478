import { describe, expect, it } from 'vitest';
import { copyAll, listArchived } from '../conformance/store/archive-store-copy.ts';
import { listTasks } from '../conformance/store/store-reading.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);

describe('the archive of a database that Disbatch programs write', () => {
  it('has their queues and tasks whole, those of queues they deleted too', async () => {
    await using from = await database.openEmpty();
    await using to = await database.openApart();
    const queue = await program.addQueue({ name: 'theirs' });
    const waiting = await program.addTask(queue, { params: { a: [1, 'ü'] } });
    const ended = await program.addTask(queue);
    await program.finish(ended, 7);
    const deleted = await program.addQueue();
    const left = await program.addTask(deleted);
    await program.queues.deleteOne({ _id: deleted });

    expect(await copyAll(from, to)).toMatchObject({ put: 3 });

    const tasks = await listTasks(to);
    expect(tasks).toEqual(await listTasks(from));
    expect(tasks.map(({ id, state, code }) => [id, state, code])).toEqual([
      [waiting.toHexString(), 'queued', null],
      [ended.toHexString(), 'failed', 7],
      [left.toHexString(), 'queued', null],
    ]);
    expect(await to.queues.find('default', 'theirs')).toMatchObject({ id: queue.toHexString() });
  });

  it('goes on after an id that is text to those that are not', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ _id: 'old' as never, class: 'Old' });
    const late = await program.addTask('old');
    for (const _id of ['b', 'a', 'c']) await program.addTask('old', { _id });

    const archived = await listArchived(store, { id: 'old' });

    expect(archived.map(({ task }) => task.id)).toEqual(['a', 'b', 'c', late.toHexString()]);
  });
});
