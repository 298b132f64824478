import { expect } from 'vitest';
import { runsByTask } from './effects.ts';
import type { Load } from './load.ts';

/** Every task that was taken has succeeded once; none of the processes was helped. */
export async function audit(load: Load): Promise<void> {
  const counts = await load.finish();
  const { succeeded, ...others } = counts;
  expect(succeeded).toBe(load.acknowledged.size);
  expect(Object.values(others).filter((count) => count !== 0)).toEqual([]);
  const runs = runsByTask(load.effects());
  for (const id of load.acknowledged) expect(runs.get(id), id).toBeGreaterThanOrEqual(1);
  for (const { child } of load.processes) expect(child.exitCode).toBeNull();
}
