import { describe, expect, it } from 'vitest';
import { openWithTasks, settleOne } from './support/tasks.ts';

describe('task list', () => {
  it('shows the newest first, and what tells them apart', async () => {
    await using yard = await openWithTasks({ params: { item: 'a.jpg' } }, { key: 'the-key' });
    await settleOne(yard, 'failed', 'disk full');

    const { out } = await yard.sh('task list');

    const lines = out.split('\n').map((line) => line.replace(/^[0-9a-f]{24}/, 'ID'));
    expect(lines).toEqual([
      expect.stringMatching(/^ID +QUEUE {2}STATE +TRIES +CREATED +TASK +REMARK$/),
      expect.stringMatching(/^ID {2}q +queued +0 +(now|\ds ago) {2}the-key$/),
      expect.stringMatching(/^ID {2}q +failed +1 +(now|\ds ago) {2}a.jpg +disk full$/),
      '',
    ]);
  });

  it('chooses by state, label, key, text and age', async () => {
    await using yard = await openWithTasks(
      { params: { item: 'x' }, labels: { team: 'a' } },
      { key: 'k', hold: true },
    );
    const found = async (line: string) => {
      const { json } = await yard.sh(`task list --json ${line}`);
      return json.map((task) => yard.ids.indexOf((task as { id: string }).id));
    };

    expect(await found('--state held,failed')).toEqual([1]);
    expect(await found('--label team=a')).toEqual([0]);
    expect(await found('--queue q --key k')).toEqual([1]);
    expect(await found('--search x')).toEqual([0]);
    expect(await found('--created-before 1h')).toEqual([]);
    expect(await found('--created-after 1h --oldest')).toEqual([0, 1]);
    expect(await found('--limit 1')).toEqual([1]);
    expect(await found('--hold-reason operator')).toEqual([1]);
  });

  it('goes on page after page with --all', async () => {
    await using yard = await openWithTasks();
    await yard.sh('submit q --array 1-1200');

    const { json } = await yard.sh('task list --all --json');

    expect(json).toHaveLength(1200);
  });

  it('lets no data steer the terminal', async () => {
    await using yard = await openWithTasks({ params: { item: '\u001b[2J\u009bevil\u202e\nrow' } });

    const { out } = await yard.sh('task list', { terminal: { columns: 200, rows: 24 } });

    expect(out).not.toContain('\u001b[2J');
    expect(out).toContain('evil row');
  });
});

describe('task show', () => {
  it('tells state, times, attempts, last output and params', async () => {
    await using yard = await openWithTasks({ params: { item: 'a.jpg' }, labels: { team: 'a' } });
    await settleOne(yard, 'failed', 'disk full');

    const { code, out } = await yard.sh(`task show ${yard.ids[0]}`);

    const shown = out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d( \([^)]*\))?/g, 'TIME');
    expect(code).toBe(0);
    expect(shown.replace(/\b\d+ms\b/g, 'SOON').replace(yard.ids[0] ?? '', 'ID')).toBe(
      [
        'a.jpg',
        '  task     ID',
        '  queue    q',
        '  state    failed: disk full',
        '  created  TIME',
        '  ended    TIME, ran SOON',
        '  labels   team=a',
        '  params   {"item":"a.jpg"}',
        '',
        'Attempts',
        expect.stringMatching(/^ {2}ATTEMPT {2}NODE {2}STARTED +RAN {2}OUTCOME {2}CODE {2}ERROR$/),
        expect.stringMatching(/^ +1 {2}n1 +TIME +SOON {2}failed +7 {2}disk full$/),
        '',
        'Last output',
        '  one',
        '  two',
        '',
      ]
        .map((line) => (typeof line === 'string' ? line : shownLine(shown, line)))
        .join('\n'),
    );
  });

  it('tells why it is not running', async () => {
    await using yard = await openWithTasks({ params: { item: 'a' } });
    await yard.sh('queue pause q');

    const { out } = await yard.sh(`task show ${yard.ids[0]}`);
    const { json } = await yard.sh(`task show ${yard.ids[0]} --json`);

    expect(out).toMatch(/Why it is not running\n {2}- Queue "q" is paused/);
    expect(json).toMatchObject([
      { id: yard.ids[0], state: 'queued', attempts: [], why: [{ code: 'paused' }, {}] },
    ]);
  });
});

/** The line of `text` that an asymmetric matcher takes, so that the whole can be compared as text. */
function shownLine(text: string, matcher: { asymmetricMatch(line: string): boolean }): string {
  const soon = text.replace(/\b\d+ms\b/g, 'SOON').split('\n');
  return soon.find((line) => matcher.asymmetricMatch(line)) ?? `nothing like ${String(matcher)}`;
}

describe('task why', () => {
  it('says it in words', async () => {
    await using yard = await openWithTasks({ hold: true });

    const { code, out } = await yard.sh(`task why ${yard.ids[0]}`);

    expect(code).toBe(0);
    expect(out).toMatch(/^[0-9a-f]{24} is held\.\n {2}- .*held/i);
  });
});

describe('task output', () => {
  it('gives exactly what the task wrote', async () => {
    await using yard = await openWithTasks({});
    await settleOne(yard, 'succeeded');

    expect((await yard.sh(`task output ${yard.ids[0]}`)).out).toBe('one\ntwo\n');
    expect((await yard.sh(`task output ${yard.ids[0]} --stream stderr`)).out).toBe('');
    expect((await yard.sh(`task output ${yard.ids[0]} --json`)).json).toMatchObject([
      { task: yard.ids[0], attempt: 1, number: 1, stream: 'stdout', data: 'one\ntwo\n' },
    ]);
  });

  it('names the task before each line when there are several', async () => {
    await using yard = await openWithTasks({}, {});
    await settleOne(yard, 'succeeded');
    await settleOne(yard, 'succeeded');

    const { out } = await yard.run(['task', 'output', ...yard.ids]);

    expect(out).toBe(yard.ids.flatMap((id) => [`${id} | one\n`, `${id} | two\n`]).join(''));
  });

  it('goes on with --follow until the task has ended', async () => {
    await using yard = await openWithTasks({});
    const { claims } = await yard.engine.attempts.claim({ node: 'n1' });
    const [claim] = claims;
    const { taskId = '', fence = 0 } = claim ?? {};
    const write = (number: number, text: string) =>
      yard.engine.outputs.append(taskId, fence, [
        { number, stream: 'stdout', offset: number, bytes: Buffer.from(text) },
      ]);
    const running = yard.start(['task', 'output', taskId, '--follow']);

    await write(1, 'early\n');
    await running.stdout.seen(/early/);
    await write(2, 'late\n');
    await running.stdout.seen(/late/);
    await yard.engine.attempts.settle([{ taskId, fence, outcome: 'succeeded' }]);

    expect(await running.ended).toMatchObject({ code: 0, out: 'early\nlate\n' });
  });

  it('goes on with the next attempts, however short', async () => {
    await using yard = await openWithTasks({});
    const [id = ''] = yard.ids;
    const running = yard.start(['task', 'output', id, '--follow']);

    for (const outcome of ['failed', 'failed', 'succeeded'] as const) {
      const { claims } = await yard.engine.attempts.claim({ node: 'n1', waitMs: 5000 });
      const { fence = 0 } = claims[0] ?? {};
      await yard.engine.outputs.append(id, fence, [
        { number: 1, stream: 'stdout', offset: 0, bytes: Buffer.from(`try ${fence}\n`) },
      ]);
      await yard.engine.attempts.settle([{ taskId: id, fence, outcome, delayMs: 0 }]);
    }

    expect(await running.ended).toMatchObject({ code: 0, out: 'try 1\ntry 2\ntry 3\n' });
  });
});

describe('attempt list', () => {
  it('tells the attempts of a task, or of a node', async () => {
    await using yard = await openWithTasks({});
    await settleOne(yard, 'failed', 'disk full');

    const ofTask = await yard.sh(`attempt list ${yard.ids[0]}`);
    const ofNode = await yard.sh('attempt list --node n1 --json');

    expect(ofTask.out).toMatch(/^ATTEMPT {2}NODE .*\n +1 {2}n1 .* failed +7 {2}disk full\n$/);
    expect(ofNode.json).toMatchObject([{ taskId: yard.ids[0], fence: 1, outcome: 'failed' }]);
    expect((await yard.sh('attempt list')).code).toBe(2);
  });
});
