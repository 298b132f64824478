import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/core/engine/create-engine.ts';
import { createNode } from '../../src/node/create-node.ts';
import { aClaim, aSettlement } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);
const soon = { now: null };

describe('nodes on a database that is shared with other programs', () => {
  it('[D4-01, D4-05, DEN-04] run what another program put there, through the database alone', async () => {
    const store = await database.openEmpty();
    await using host = createEngine({ store });
    const queue = await program.addQueue({ plugin: 'Demo', threads: 4 });
    const good = await program.addTask(queue, { params: { name: 'one' } });
    const bad = await program.addTask(queue, { params: { name: 'two' } });
    const node = createNode({
      engine: host.handle(),
      name: 'host-1',
      slots: 2,
      waitMs: 100,
      handlers: {
        async Demo({ name }: { name: string }, context) {
          await context.write(`did ${name}\n`);
          if (name === 'two') throw new Error('it did not work');
        },
      },
    });

    await node.start();
    const ended = await eventually('both tasks to end', async () => {
      const documents = [await program.get(good), await program.get(bad)];
      return documents.every(({ complete }) => complete) && documents;
    });
    await node.stop();

    expect(ended[0]).toMatchObject({ status: 1, node: 'host-1', stdout: 'did one\n' });
    expect(ended[1]).toMatchObject({ status: 2, node: 'host-1', stdout: 'did two\n' });
    expect(await program.nodes.findOne({ node: 'host-1' })).toMatchObject({
      timestamp: expect.any(Date),
    });
  });

  it('[D4-42] eight of them run ten thousand tasks, each once', { timeout: 120_000 }, async () => {
    await using first = await database.openEmpty();
    await using second = await database.open();
    const queue = await program.addQueue({ threads: null, batchyard: { unlimited: true } });
    const now = new Date();
    const waiting = { queue, status: -2, node: null, params: {}, ctime: now, mtime: now };
    await program.tasks.insertMany(Array.from({ length: 10_000 }, () => ({ ...waiting })));
    const runs = new Map<string, number>();

    await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        const store = number % 2 ? first : second;
        const request = aClaim({ queueId: String(queue), node: `node-${number}`, limit: 200 });
        for (;;) {
          const claims = await store.attempts.claim(request, soon);
          if (claims.length === 0) return;
          for (const { taskId } of claims) runs.set(taskId, (runs.get(taskId) ?? 0) + 1);
          const settlements = claims.map((claim) => aSettlement(claim));
          const answers = await store.attempts.settle('default', settlements, soon);
          expect(answers.every(({ status }) => status === 'applied')).toBe(true);
        }
      }),
    );

    expect(runs.size).toBe(10_000);
    expect(Math.max(...runs.values())).toBe(1);
    expect(await program.tasks.countDocuments({ status: 1 })).toBe(10_000);
  });
});
