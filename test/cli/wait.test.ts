import { describe, expect, it } from 'vitest';
import { openYard } from './support/yard.ts';

const UNKNOWN = '0'.repeat(24);

async function openBusy(outcome: 'true' | 'false') {
  const yard = await openYard({ hasNode: true });
  await yard.sh(`queue create q --max-attempts 1 --program ${outcome}`);
  return yard;
}

describe('wait', () => {
  it('ends with 0 when all tasks of a queue succeeded', async () => {
    await using yard = await openBusy('true');
    await yard.sh('submit q --array 1-3');

    expect(await yard.sh('wait q --timeout 20s')).toMatchObject({
      code: 0,
      out: 'All tasks succeeded.\n',
    });
  });

  it('ends with 1 when some did not, and counts them', async () => {
    await using yard = await openBusy('false');
    await yard.sh('submit q --array 1-3 --batch b');

    const { code, json } = await yard.sh('wait --label batch=b --timeout 20s --json');

    expect(code).toBe(1);
    expect(json).toEqual([{ done: true, unfinished: 0, unsuccessful: { failed: 3 } }]);
  });

  it('ends with 4 when it takes too long', async () => {
    await using yard = await openYard();
    await yard.sh('queue create q');
    await yard.sh('submit q --array 1-3');

    const { code, out } = await yard.sh('wait q --timeout 50ms');

    expect([code, out]).toEqual([4, 'Time is over: 3 tasks not ended.\n']);
  });

  it('waits for tasks by id', async () => {
    await using yard = await openBusy('true');
    const { out } = await yard.sh('submit q --item a');

    expect(await yard.sh(`wait ${out.trim()}`)).toMatchObject({
      code: 0,
      out: 'The task succeeded.\n',
    });
  });

  it('tells now and then how far it is where there is no terminal', async () => {
    await using yard = await openYard();
    await yard.sh('queue create q');
    await yard.sh('submit q --array 1-3');
    let ms = 0;
    const { systemClock } = await import('../../src/core/index.ts');
    // Each look at the clock is a second later.
    const clock = { ...systemClock, monotonicMs: () => (ms += 1000) };

    const { err } = await yard.sh('wait q --timeout 60s', { clock });

    expect(err.split('\n')[0]).toBe('[....................]   0%  0/3 done, 0 running');
  });

  it.each([
    ['wait', 'Name a queue, tasks, or a label to wait for.'],
    ['wait nope', 'No queue "nope" in namespace "default".'],
    [`wait ${UNKNOWN}`, `No task ${UNKNOWN} in namespace "default".`],
    [`wait q ${UNKNOWN}`, 'Name queues or tasks, not both.'],
  ])('keeps exit code 1 for tasks that failed: "%s" ends with 2', async (line, problem) => {
    await using yard = await openYard();
    await yard.sh('queue create q');

    const { code, err } = await yard.sh(line);

    expect(err).toContain(problem);
    expect(code).toBe(2);
  });
});
