import fc from 'fast-check';
import { describe, it } from 'vitest';
import { QUEUE_DEFAULTS, type QueueSettings } from '../../src/core/domain/queue.ts';
import type { StoreUnderTest } from '../conformance/store/store-under-test.ts';
import { createModelStore } from '../support/model-store/model-store.ts';
import { attemptCommands } from './attempt-commands.ts';
import { leaseCommands, nodeCommands, outputCommands, timeCommands } from './other-commands.ts';
import { LIMITS, queueCommands } from './queue-commands.ts';
import { expectSameEverything } from './store-comparison.ts';
import { createWorld, newId, type StorePair, type World } from './store-world.ts';
import { taskCommands } from './task-commands.ts';

const FIRST_QUEUES: readonly (Partial<QueueSettings> & { name: string; namespace?: string })[] = [
  { name: 'plain', leaseMs: 5000 },
  { name: 'limited', leaseMs: 2000, maxRunning: 3, limits: LIMITS.at(-1) ?? [] },
  { name: 'gated', admission: 'gated', onLost: 'park' },
  { name: 'ticking', continuous: true, canBeContinuous: true, intervalMs: 2000, leaseMs: 1000 },
  { name: 'plain', namespace: 'other' },
];

type Command = fc.Arbitrary<fc.AsyncCommand<World, StorePair>>;

function often(times: number, command: Command): Command[] {
  return Array<Command>(times).fill(command);
}

/** How often each kind comes: mostly the ordinary life of tasks, now and then an upheaval. */

const COMMANDS: readonly Command[] = [
  ...often(2, queueCommands.insert),
  ...often(2, queueCommands.update),
  ...often(16, taskCommands.submit),
  ...often(16, attemptCommands.claim),
  ...often(3, attemptCommands.claimTask),
  ...often(3, attemptCommands.claimContinuous),
  ...often(3, attemptCommands.start),
  ...often(6, attemptCommands.renew),
  ...often(16, attemptCommands.settle),
  ...often(2, attemptCommands.expireDue),
  ...often(5, taskCommands.move),
  ...often(3, taskCommands.edit),
  ...often(3, queueCommands.admit),
  ...often(10, timeCommands.advance),
  ...Object.values(nodeCommands),
  ...Object.values(leaseCommands),
  ...Object.values(outputCommands),
  attemptCommands.list,
  taskCommands.delete,
  taskCommands.find,
  taskCommands.findByKey,
  taskCommands.list,
  taskCommands.position,
  taskCommands.purge,
  queueCommands.counts,
  queueCommands.delete,
  queueCommands.deleteNamespace,
  queueCommands.purge,
  timeCommands.sleepADay,
];

/** So that the first steps meet something; later ones change them and make others. */
async function addFirstQueues(world: World, { model, real }: StorePair): Promise<void> {
  for (const { namespace = 'default', ...settings } of FIRST_QUEUES) {
    const id = newId(world);
    const queue = { ...QUEUE_DEFAULTS, ...settings, id, namespace };
    for (const store of [model, real]) await store.queues.insert(queue, { now: world.now });
    world.queues.push(queue);
  }
}

const RUNS = process.env.BATCHYARD_MODEL_RUNS;
const SEED = process.env.BATCHYARD_MODEL_SEED;
const LONGEST_MS = 600_000;

/**
 * Drives the model store and another with the same random steps and expects the same
 * answers. A failure prints the shortest steps found and their seed; BATCHYARD_MODEL_SEED
 * runs that seed again, BATCHYARD_MODEL_RUNS says how many runs there are.
 */
export function storeModel(subject: StoreUnderTest, usualRuns = 400): void {
  describe(`the ${subject.name} store`, () => {
    it('answers every step as the model store does', { timeout: LONGEST_MS }, async () => {
      const commands = fc.commands([...COMMANDS], { maxCommands: 120, size: 'max' });
      await fc.assert(
        fc.asyncProperty(commands, async (steps) => {
          await using real = await subject.open();
          const world = createWorld();
          const pair = { model: createModelStore(), real };
          await addFirstQueues(world, pair);
          await fc.asyncModelRun(() => ({ model: world, real: pair }), steps);
          await expectSameEverything(world, pair);
        }),
        {
          numRuns: Number(RUNS ?? usualRuns),
          ...(SEED !== undefined && { seed: Number(SEED) }),
          interruptAfterTimeLimit: LONGEST_MS * 0.9,
        },
      );
    });
  });
}
