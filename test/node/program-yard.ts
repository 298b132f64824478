import { type Program, type QueueSettings, systemClock, type Task } from '../../src/core/index.ts';
import type { NodeOptions } from '../../src/node/node-options.ts';
import { eventually } from '../support/eventually.ts';
import { openYard, type Yard } from './yard.ts';

const INHERITED = { PATH: process.env.PATH, LC_ALL: 'C', SECRET_TOKEN: 'canary' };

/** A yard in real time, with one queue `work` that has this program, and a node that runs it. */
export async function openProgramYard(
  program: Program,
  settings: Partial<QueueSettings> = {},
  options: Partial<NodeOptions> = {},
): Promise<Yard> {
  const yard = await openYard(systemClock);
  await yard.engine.queues.create('work', { program, maxAttempts: 1, ...settings });
  await yard.startNode({ programs: true, environment: INHERITED, ...options });
  return yard;
}

export async function ended(yard: Yard, id: string): Promise<Task> {
  return eventually(`task ${id} ended`, async () => {
    const task = await yard.engine.tasks.get(id);
    return task.endedAt && task;
  });
}
