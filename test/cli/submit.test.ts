import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/core/index.ts';
import { openYard, type Yard } from './support/yard.ts';

async function tasksOf(yard: Yard): Promise<readonly Task[]> {
  const { items } = await yard.engine.tasks.list({}, { direction: 'asc', limit: 1000 });
  return items;
}

async function openWithQueue(hasNode = false): Promise<Yard> {
  const yard = await openYard({ hasNode });
  await yard.engine.queues.create('q');
  return yard;
}

describe('submit', () => {
  it('adds one task and prints its id', async () => {
    await using yard = await openWithQueue();

    const { code, out } = await yard.run([
      ...['submit', 'q', '--params', '{"a": 1}', '--key', 'k', '--priority', '7'],
      ...['--label', 'team=x', '--hold', '--at', '1h'],
    ]);

    const [task] = await tasksOf(yard);
    expect([code, out]).toEqual([0, `${task?.id}\n`]);
    expect(task).toMatchObject({
      params: { a: 1 },
      key: 'k',
      priority: 7,
      labels: { team: 'x' },
      state: 'held',
      notBefore: expect.any(Date),
    });
  });

  it('refuses a key that is there, or skips it when told so', async () => {
    await using yard = await openWithQueue();
    await yard.sh('submit q --item a --key k');

    const refused = await yard.sh('submit q --item b --key k');
    const skipped = await yard.sh('submit q --item b --key k --on-conflict skip --json');

    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Queue "q" has a task with key "k" already');
    expect(skipped.json).toMatchObject([{ outcome: 'skipped', queue: 'q' }]);
  });

  it('adds a task for each number', async () => {
    await using yard = await openWithQueue();

    const { out } = await yard.sh('submit q --array 1-3 --key n{item} --batch night');

    expect(out).toBe('Submitted 3 tasks to q.\n');
    expect((await tasksOf(yard)).map(({ key, params, labels }) => [key, params, labels])).toEqual([
      ['n1', { item: 1 }, { batch: 'night' }],
      ['n2', { item: 2 }, { batch: 'night' }],
      ['n3', { item: 3 }, { batch: 'night' }],
    ]);
  });

  it('adds a task for each line of a file or of stdin', async () => {
    await using yard = await openWithQueue();
    writeFileSync(join(yard.folder, 'list.txt'), 'a b\r\n\nc');

    await yard.sh('submit q --each-line list.txt');
    await yard.sh('submit q --each-line -', { stdin: 'd\ne\n' });

    expect((await tasksOf(yard)).map(({ params }) => params)).toEqual([
      { item: 'a b' },
      { item: 'c' },
      { item: 'd' },
      { item: 'e' },
    ]);
  });

  it('adds a task for each line of JSON, with what the command line says of all', async () => {
    await using yard = await openWithQueue();
    const stdin = '{"params": {"a": 1}, "labels": {"x": "1"}}\n{"priority": 2}\n';

    const { out } = await yard.sh('submit q - --priority 1 --label y=2', { stdin });

    expect(out).toBe('Submitted 2 tasks to q.\n');
    expect(await tasksOf(yard)).toMatchObject([
      { params: { a: 1 }, priority: 1, labels: { x: '1', y: '2' } },
      { priority: 2, labels: { y: '2' } },
    ]);
  });

  it('passes bad lines over, names them, and says so by its exit code', async () => {
    await using yard = await openWithQueue();
    const stdin = '{"params": 1}\n\nnonsense\n{"parms": 2}\n{"params": 3}\n';

    const { code, out, err } = await yard.sh('submit q -', { stdin });

    expect([code, out]).toEqual([1, 'Submitted 2 tasks to q; 2 refused.\n']);
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^stdin, line 3: /),
      expect.stringMatching(/^stdin, line 4: .*Did you mean "params"/),
      '',
    ]);
  });

  it('counts keys that are there already when they may be skipped', async () => {
    await using yard = await openWithQueue();
    await yard.sh('submit q --array 1-2 --key {item}');

    const again = await yard.sh('submit q --array 1-3 --key {item} --on-conflict skip --json');

    expect(again.json).toEqual([{ queue: 'q', submitted: 1, replaced: 0, skipped: 2, failed: 0 }]);
  });

  it.each([
    ['submit q --array 3-1', '--array: "3-1" goes backwards. Use 1-3.'],
    ['submit q --each-line gone.txt', 'gone.txt: There is no such file.'],
    ['submit q --item a --array 1-3', 'Use one of --params, --item'],
    ['submit q --params {', '--params: that is not JSON'],
    ['submit q photo.jpg', 'Unknown argument "photo.jpg". Use --item'],
    ['submit q - --key k', 'Put "key" and "unique" into the lines of JSON'],
    ['submit nope --item a', 'No queue "nope" in namespace "default".'],
    ['submit nope --array 1-3', 'No queue "nope" in namespace "default".'],
    ['submit', 'Missing required argument "queue".'],
  ])('%s is wrong usage', async (line, problem) => {
    await using yard = await openWithQueue();

    const { code, out, err } = await yard.sh(line);

    expect(err).toContain(problem);
    expect([code, out]).toEqual([2, '']);
  });

  it('sends as a stream, so that any number of tasks takes the same memory', async () => {
    await using yard = await openWithQueue();
    let given = 0;
    let farthest = 0;
    const stdin = (async function* () {
      for (; given < 20_000; given += 100) {
        yield Buffer.from(`{"params": ${given}}\n`.repeat(100));
        const { queued } = await yard.engine.queues.countsOf('q');
        farthest = Math.max(farthest, given - queued);
      }
    })();

    await yard.start(['submit', 'q', '-'], { stdin }).ended;

    expect((await yard.engine.queues.countsOf('q')).queued).toBe(20_000);
    expect(farthest).toBeLessThanOrEqual(5_000);
  });
});

describe('submit --wait', () => {
  it('follows the tasks to their end and tells how they went', async () => {
    await using yard = await openWithQueue(true);
    await yard.sh('queue create ok --program true');

    const one = await yard.sh('submit ok --item a --wait');
    const many = await yard.sh('submit ok --array 1-5 --wait');

    expect([one.code, one.out.split('\n')[1]]).toEqual([0, 'The task succeeded.']);
    expect([many.code, many.out]).toEqual([
      0,
      'Submitted 5 tasks to ok.\nAll 5 tasks succeeded.\n',
    ]);
  });

  it('counts its own tasks only', async () => {
    await using yard = await openWithQueue(true);
    await yard.sh('queue create ok --program test {item} = 1 --max-attempts 1');
    await yard.sh('submit ok --item 2 --wait');

    const { code, out } = await yard.sh('submit ok --array 1 --wait');

    expect([code, out]).toEqual([0, 'Submitted 1 task to ok.\nThe task succeeded.\n']);
  });

  it('ends with 1 when a task failed, and names the way to it', async () => {
    await using yard = await openWithQueue(true);
    await yard.sh('queue create bad --program false --max-attempts 1');

    const { code, out, err } = await yard.sh('submit bad --array 1-2 --wait');

    expect([code, out]).toEqual([
      1,
      'Submitted 2 tasks to bad.\nNot all tasks succeeded: 2 failed.\n',
    ]);
    expect(err).toMatch(/batchyard task list --queue bad --label batch=[0-9a-f]{8} --state failed/);
  });

  it('ends with 4 when it takes too long', async () => {
    await using yard = await openWithQueue();

    const { code, out } = await yard.sh('submit q --item a --wait --timeout 100ms');

    expect([code, out.split('\n')[1]]).toEqual([4, 'Time is over: 1 task not ended.']);
  });

  it('draws a bar on a terminal', async () => {
    await using yard = await openWithQueue(true);
    await yard.sh('queue create slow --program sleep 0.2');

    const { err } = await yard.start(['submit', 'slow', '--array', '1-3', '--wait'], {
      terminal: { columns: 80, rows: 24 },
    }).ended;

    expect(err).toMatch(/\r\S*\[[#.]{20}\] +\d+% {2}\d\/3 done, \d running/);
  });

  it('ends with 130 when it is interrupted', async () => {
    await using yard = await openWithQueue();

    const running = yard.start(['submit', 'q', '--item', 'a', '--wait']);
    await running.stdout.seen(/[0-9a-f]{24}/);
    running.interrupt();

    expect((await running.ended).code).toBe(130);
  });
});
