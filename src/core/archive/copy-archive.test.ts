import { describe, expect, it } from 'vitest';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  changeQueue,
  claimOne,
  getQueue,
  listTasks,
} from '../../../test/conformance/store/store-reading.ts';
import {
  aKeyedTask,
  aNewTask,
  anAccessToken,
  aSettlement,
  at,
  bytes,
  NOON,
} from '../../../test/support/builders.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createModelStore } from '../../../test/support/model-store/model-store.ts';
import type { Store } from '../store/index.ts';
import { type CopyAnswer, type CopyRequest, copyArchive } from './copy-archive.ts';

const open = () => createModelStore({ clock: createFakeClock(NOON) });

function copy(from: Store, to: Store, request: Partial<CopyRequest> = {}): Promise<CopyAnswer> {
  const { signal } = new AbortController();
  const clock = createFakeClock(NOON);
  const usual = { namespaces: null, drain: false, clock, signal, onProgress: () => {} };
  return copyArchive({ from, to, ...usual, ...request });
}

const same = { status: 'copied', queues: [{ isSame: true }] };

/** A store whose `putTasks` fails from a call on, as if the process were killed there. */
function failing(store: Store, goodCalls: number): Store {
  let calls = 0;
  const archive: Store['archive'] = {
    ...store.archive,
    async putTasks(put, step) {
      calls += 1;
      if (calls <= goodCalls) return store.archive.putTasks(put, step);
      await store.archive.putTasks({ ...put, tasks: put.tasks.slice(0, 7) }, step);
      throw new Error('killed');
    },
  };
  return { ...store, archive };
}

describe('a copy from store to store', () => {
  it('brings everything, and finds the same on both sides', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    const done = await addClaimed(from, queue);
    await from.attempts.settle('default', [aSettlement(done)], at(NOON));
    await addTask(from, queue, { external: true });
    const old = await addQueue(from, { namespace: 'other' });
    await addTask(from, old);
    await from.queues.delete({ id: old.id, tasks: 'keep' }, at(NOON));
    await from.namespaces.ensure('empty', at(NOON));
    await from.tokens.insert(anAccessToken(), bytes(1), at(NOON));

    const answer = await copy(from, to);

    expect(answer).toMatchObject({ put: 3, queues: [{ isSame: true }, { isSame: true }] });
    expect((await to.namespaces.list()).map(({ name }) => name)).toEqual([
      ...['default', 'empty', 'other'],
    ]);
    expect(await to.archive.listTokens()).toEqual(await from.archive.listTokens());
    expect(await copy(to, open())).toMatchObject({ queues: [{ isSame: true }, { isSame: true }] });
  });

  it('takes only the namespaces it is told to, and then no access tokens', async () => {
    const [from, to] = [open(), open()];
    for (const namespace of ['a', 'b']) {
      await addTask(from, await addQueue(from, { namespace }));
    }
    await from.tokens.insert(anAccessToken(), bytes(1), at(NOON));

    expect(await copy(from, to, { namespaces: ['b'] })).toMatchObject(same);

    expect((await to.namespaces.list()).map(({ name }) => name)).toEqual(['b']);
    expect(await to.tokens.list()).toEqual([]);
    await expect(copy(from, to, { namespaces: ['c'] })).rejects.toThrow('No namespace "c"');
  });

  it('goes on where it was interrupted', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    await addTasks(
      from,
      queue,
      Array.from({ length: 500 }, () => aNewTask()),
    );
    await expect(copy(from, failing(to, 1))).rejects.toThrow('killed');
    expect(await listTasks(to, { limit: 1000 })).toHaveLength(207);

    expect(await copy(from, to)).toMatchObject({ ...same, put: 293, there: 207 });
  });

  it('goes on within an output', async () => {
    const [from, to] = [open(), open()];
    const { taskId, fence } = await addClaimed(from, await addQueue(from));
    const chunks = [1, 2, 3].map((number) => ({
      ...{ number, stream: 'stdout', offset: number, bytes: bytes(number) },
    })) as never;
    await from.outputs.append({ namespace: 'default', taskId, fence, chunks }, at(NOON));
    await from.attempts.settle('default', [aSettlement({ taskId, fence })], at(NOON));
    const half: Store = {
      ...to,
      archive: {
        ...to.archive,
        async putOutput(put, step) {
          await to.archive.putOutput({ ...put, chunks: put.chunks.slice(0, 1) }, step);
          throw new Error('killed');
        },
      },
    };
    await expect(copy(from, half)).rejects.toThrow('killed');

    expect(await copy(from, to)).toMatchObject({ ...same, put: 0, there: 1 });
  });

  it('copies a task again that went on in the source, and none that went on in the destination', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    const [first = '', second = ''] = await addTasks(from, queue, [aNewTask(), aNewTask()]);
    await copy(from, to);
    const claim = await claimOne(from, queue);
    await from.attempts.settle('default', [aSettlement(claim)], at(NOON));
    await to.tasks.move({ namespace: 'default', ids: [second], move: 'cancel' }, at(NOON));

    const answer = await copy(from, to);

    expect(claim.taskId).toBe(first);
    expect(answer).toMatchObject({ put: 1, there: 1, queues: [{ isSame: false }] });
    const states = (await listTasks(to)).map(({ state }) => state);
    expect(states).toEqual(['succeeded', 'cancelled']);
  });

  it('tells of tasks whose keys are taken, and copies the others', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    const [taken] = await addTasks(from, queue, [aKeyedTask('a'), aKeyedTask('b')]);
    const archived = { queue: await getQueue(from, queue), isDeleted: false };
    await to.archive.putQueue(archived, at(NOON));
    await addTasks(to, queue, [aKeyedTask('a')]);

    expect(await copy(from, to)).toMatchObject({
      ...{ put: 1, refused: [taken], queues: [{ isSame: false }] },
    });
  });

  it('puts nothing at all where a queue of the same name but another id is', async () => {
    const [from, to] = [open(), open()];
    await addTask(from, await addQueue(from, { name: 'a' }));
    await addTask(from, await addQueue(from, { name: 'b' }));
    await addQueue(to, { name: 'b' });

    await expect(copy(from, to)).rejects.toThrow('it has a queue "b" of its own');

    expect((await to.queues.list('default', { after: null, limit: 9 })).items).toHaveLength(1);
  });

  it('brings changed settings along', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from, { maxRunning: 1 });
    await copy(from, to);
    await changeQueue(from, queue, { maxRunning: 2 });

    expect(await copy(from, to)).toMatchObject(same);

    expect(await getQueue(to, queue)).toMatchObject({ maxRunning: 2 });
  });

  it('refuses while tasks are live, but for external ones', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    const { taskId, fence } = await addClaimed(from, queue);
    await addTask(from, queue, { external: true });

    expect(await copy(from, to)).toEqual({ status: 'live', live: 1 });

    expect(await to.namespaces.list()).toEqual([]);
    await from.attempts.settle('default', [aSettlement({ taskId, fence })], at(NOON));
    expect(await copy(from, to)).toMatchObject(same);
  });
});

describe('a copy that drains', () => {
  it('stops claims, waits for live tasks, and leaves both sides as the source was', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from, { name: 'on' });
    const paused = await addQueue(from, { name: 'off', paused: true });
    const claim = await addClaimed(from, queue);
    await addTask(from, queue);
    const waits: number[] = [];
    const clock = createFakeClock(NOON);
    const sleep = async () => {
      expect(await getQueue(from, queue)).toMatchObject({ paused: true });
      expect(await from.attempts.claim({ ...CLAIM, picks: [pick(queue)] }, at(NOON))).toEqual([]);
      await from.attempts.settle('default', [aSettlement(claim)], at(NOON));
    };

    const answer = await copy(from, to, {
      ...{ drain: true, clock: { ...clock, sleep } },
      onProgress: ({ step, tasks }) => {
        if (step === 'draining') waits.push(tasks);
      },
    });

    expect(answer).toMatchObject({ queues: [{ isSame: true }, { isSame: true }] });
    expect(waits).toEqual([1, 0]);
    for (const store of [from, to]) {
      expect(await getQueue(store, queue)).toMatchObject({ paused: false });
      expect(await getQueue(store, paused)).toMatchObject({ paused: true });
    }
  });

  it('lets queues go on that an interrupted copy had paused', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    await addTask(from, queue);
    // Killed: nobody was left to let the queue go on.
    const killed: Store = {
      ...from,
      queues: {
        ...from.queues,
        update: (change, step) =>
          change.settings.paused
            ? from.queues.update(change, step)
            : Promise.reject(new Error('killed')),
      },
    };
    await expect(copy(killed, to, { drain: true })).rejects.toThrow('killed');
    expect(await getQueue(from, queue)).toMatchObject({ paused: true });

    expect(await copy(from, to, { drain: true })).toMatchObject(same);

    for (const store of [from, to]) {
      expect(await getQueue(store, queue)).toMatchObject({ paused: false });
    }
  });

  it('lets queues go on when it is stopped', async () => {
    const [from, to] = [open(), open()];
    const queue = await addQueue(from);
    await addClaimed(from, queue);
    const stop = new AbortController();

    const answer = await copy(from, to, {
      ...{ drain: true, signal: stop.signal, onProgress: () => stop.abort() },
    });

    expect(answer).toEqual({ status: 'stopped' });
    expect(await getQueue(from, queue)).toMatchObject({ paused: false });
  });
});

const CLAIM = {
  ...{ namespace: 'default', node: 'n', token: null, limit: 9, start: true, leaseMs: null },
};
const pick = ({ id: queueId }: { id: string }) => ({ queueId, count: 9 });
