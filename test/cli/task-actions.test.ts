import { describe, expect, it } from 'vitest';
import { openWithTasks, settleOne } from './support/tasks.ts';

const UNKNOWN = '0'.repeat(24);

describe('actions on tasks', () => {
  it('answer for each task, and go on after one that is refused', async () => {
    await using yard = await openWithTasks({}, {});
    const [first = '', second = ''] = yard.ids;

    const { code, out, err } = await yard.run(['task', 'cancel', first, UNKNOWN, second]);

    expect([code, out]).toEqual([1, `${first}  cancelled\n${second}  cancelled\n`]);
    expect(err).toBe(`No task ${UNKNOWN} in namespace "default".\n`);
  });

  it('hold, release, edit, retry and delete', async () => {
    await using yard = await openWithTasks({});
    const [id = ''] = yard.ids;
    const state = async () => (await yard.engine.tasks.find(id))?.state ?? 'gone';

    await yard.sh(`task hold ${id}`);
    expect(await state()).toBe('held');
    await yard.sh(`task release ${id}`);
    expect(await state()).toBe('queued');
    await yard.run(['task', 'edit', id, '--priority', '9', '--params', '[1]', '--at', '1h']);
    expect(await yard.engine.tasks.get(id)).toMatchObject({ priority: 9, params: [1] });
    expect(await state()).toBe('delayed');
    await yard.sh(`task cancel ${id}`);
    await yard.sh(`task retry ${id}`);
    expect(await state()).not.toBe('cancelled');
    expect((await yard.sh(`task delete ${id}`)).out).toBe(`${id}  deleted\n`);
    expect(await state()).toBe('gone');
  });

  it('by a filter say first how many tasks they meet', async () => {
    await using yard = await openWithTasks({}, {}, { labels: { keep: 'yes' } });

    const dry = await yard.sh('task hold --queue q --dry-run');
    const done = await yard.sh('task hold --label keep=yes --json');

    expect([dry.code, dry.out]).toEqual([0, 'Would hold 3 tasks.\n']);
    expect(done.json).toEqual([{ action: 'hold', matched: 1, changed: 1 }]);
    expect((await yard.engine.queues.countsOf('q')).held).toBe(1);
  });

  it('by a filter meet only tasks they can do something with', async () => {
    await using yard = await openWithTasks({}, {}, {});
    await settleOne(yard, 'succeeded');
    await settleOne(yard, 'failed');

    expect((await yard.sh('task retry --queue q --dry-run')).out).toBe('Would retry 1 task.\n');
    expect((await yard.sh('task cancel --queue q --dry-run')).out).toBe('Would cancel 1 task.\n');
    expect((await yard.sh('task delete --queue q --dry-run')).out).toBe('Would delete 3 tasks.\n');
    expect((await yard.sh('task retry --queue q --state succeeded')).out).toBe(
      'Put back 1 task.\n',
    );
  });

  it('ask a person before they act by a filter', async () => {
    await using yard = await openWithTasks({}, {});
    const terminal = { columns: 80, rows: 24 };
    const counts = () => yard.engine.queues.countsOf('q');

    const no = await yard.sh('task cancel --queue q', { terminal, stdin: 'n\n' });
    expect([no.code, no.err]).toEqual([1, 'Cancel 2 tasks? [y/N] Nothing was changed.\n']);
    expect((await counts()).queued).toBe(2);

    const yes = await yard.sh('task cancel --queue q', { terminal, stdin: 'y\n' });
    expect([yes.code, yes.out]).toEqual([0, 'Cancelled 2 tasks.\n']);
    expect((await counts()).cancelled).toBe(2);
  });

  it.each([
    ['task cancel', 'Name tasks by id, choose them'],
    ['task cancel nonsense', '"nonsense" is no task id: those have 24 hex digits.'],
    [`task cancel ${UNKNOWN} --all`, 'Name tasks by id or choose them by options, not both.'],
    [`task edit ${UNKNOWN}`, 'Say what to change'],
    ['task list --state runing', '"runing" is none of'],
  ])('%s is wrong usage', async (line, problem) => {
    await using yard = await openWithTasks();

    const { code, err } = await yard.sh(line);

    expect(err).toContain(problem);
    expect(code).toBe(2);
  });

  it('need --all to mean all', async () => {
    await using yard = await openWithTasks({}, {});

    expect((await yard.sh('task cancel --all')).out).toBe('Cancelled 2 tasks.\n');
  });
});
