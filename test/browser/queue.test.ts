import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { withBrowser } from './open-browser.ts';
import { openYard } from './open-yard.ts';

const openPage = withBrowser();

describe("a queue's page", () => {
  it('submits a task, after saying what is wrong with params that are no JSON', async () => {
    await using yard = await openYard();
    await using open = await openPage(`${yard.url}#/queues/quick`);
    const { page } = open;
    await page.getByRole('button', { name: 'Submit a task' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit a task' });

    await dialog.getByLabel('Params, as JSON').fill("{\n  'item': 1\n}");
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByRole('alert').getByText('look at line 2, column 3').waitFor();

    await dialog.getByLabel('Params, as JSON').fill('{"item": "one.jpg"}');
    await dialog.getByLabel('Key').fill('one');
    await dialog.getByLabel('Priority').fill('5');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.waitFor({ state: 'detached' });

    const row = page.locator('.task-table tbody tr');
    await row.getByText('succeeded').waitFor();
    expect(await row.textContent()).toContain('{"item":"one.jpg"}');
    const task = await yard.engine.tasks.findByKey('quick', 'one');
    expect(task).toMatchObject({ params: { item: 'one.jpg' }, priority: 5 });
  });

  it("shows the server's words when it refuses a task", async () => {
    await using yard = await openYard();
    await yard.engine.tasks.submit('idle', [{ key: 'taken' }]);
    await using open = await openPage(`${yard.url}#/queues/idle`, { expected: /409/ });
    const { page } = open;

    await page.getByRole('button', { name: 'Submit a task' }).click();
    await page.getByRole('dialog').getByLabel('Key').fill('taken');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();

    await page.getByRole('alert').getByText('has a task with key "taken" already').waitFor();
  });

  it('pauses and resumes the queue', async () => {
    await using yard = await openYard();
    await using open = await openPage(`${yard.url}#/queues/quick`);
    const { page } = open;

    await page.getByRole('button', { name: 'Pause queue' }).click();
    await page.locator('h1 .badge-paused').waitFor();
    expect((await yard.engine.queues.get('quick')).paused).toBe(true);

    await page.getByRole('button', { name: 'Resume queue' }).click();
    await page.getByRole('button', { name: 'Pause queue' }).waitFor();
    expect((await yard.engine.queues.get('quick')).paused).toBe(false);
  });

  it('says in words how the queue works', async () => {
    await using yard = await openYard();
    await using open = await openPage(`${yard.url}#/queues/sleep`);

    await open.page.getByText('How it works').click();

    await open.page
      .getByText("Program sh -c 'echo begun; exec sleep 600'", { exact: true })
      .waitFor();
    await open.page.getByText('Up to 3 times', { exact: false }).waitFor();
  });

  it('narrows the list by state and text, and turns its pages', async () => {
    await using yard = await openYard();
    const numbers = Array.from({ length: 120 }, (_, index) => index);
    await yard.engine.tasks.submit(
      'idle',
      numbers.map((number) => ({ key: `task-${number}` })),
    );
    await yard.engine.tasks.bulk({ action: 'hold', filter: { keys: ['task-7', 'task-77'] } });
    await using open = await openPage(`${yard.url}#/queues/idle`);
    const { page } = open;
    const names = page.locator('.task-table [data-row]');
    const first = (name: string) =>
      eventually(`${name} is first`, async () => (await names.first().textContent()) === name);

    await first('task-119');
    await page.getByRole('button', { name: 'Older' }).click();
    await first('task-69');
    await page.getByRole('button', { name: 'Older' }).click();
    await first('task-19');
    expect(await names.count()).toBe(20);
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Newer' }).click();
    await first('task-69');

    await page.getByRole('link', { name: /^held/ }).click();
    await first('task-77');
    expect(await names.count()).toBe(2);

    await page.getByRole('link', { name: /^all/ }).click();
    await page.getByRole('searchbox', { name: /Search key/ }).fill('task-11');
    await eventually('eleven rows', async () => (await names.count()) === 11);
    expect(page.url()).toContain('search=task-11');
  });

  it('retries failed tasks, after showing how many it would be', async () => {
    await using yard = await openYard();
    await yard.engine.tasks.submit('fail', [{}, {}, {}]);
    await yard.engine.tasks.wait({ filter: { queues: ['fail'] }, timeoutMs: 10_000 });
    await yard.engine.queues.pause('fail');
    await yard.engine.tasks.submit('fail', [{}, {}]);
    await using open = await openPage(`${yard.url}#/queues/fail`);
    const { page } = open;

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('5 tasks selected').waitFor();
    await page.getByRole('button', { name: 'Retry…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 3 tasks?' });
    await dialog.getByText('2 of the 5 you selected cannot be changed').waitFor();
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();

    await page.getByText('3 tasks put back in the queue.').waitFor();
    await page.getByRole('link', { name: /^queued 5$/ }).waitFor();
    expect(await yard.engine.queues.countsOf('fail')).toMatchObject({ queued: 5, failed: 0 });
  });

  it('acts on all that match the filter, far beyond the page, and on nothing else', async () => {
    await using yard = await openYard();
    const many = Array.from({ length: 150 }, (_, index) => ({ key: `gone-${index}` }));
    await yard.engine.tasks.submit('idle', [...many, { key: 'kept-1' }, { key: 'kept-2' }]);
    await using open = await openPage(`${yard.url}#/queues/idle?search=gone-`);
    const { page } = open;

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 150 tasks?' });
    await dialog.getByText('This cannot be undone').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();

    await page.getByText('150 tasks deleted.').waitFor();
    expect(await yard.engine.queues.countsOf('idle')).toMatchObject({ queued: 2 });
  });

  it('does nothing when the dialog is left', async () => {
    await using yard = await openYard();
    await yard.engine.tasks.submit('idle', [{}]);
    await using open = await openPage(`${yard.url}#/queues/idle`);
    const { page } = open;

    await page.locator('tbody input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('dialog', { name: 'Cancel 1 task?' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await yard.engine.queues.countsOf('idle')).toMatchObject({ queued: 1 });
  });

  it('says so when there is no such queue', async () => {
    await using yard = await openYard();
    await using open = await openPage(`${yard.url}#/queues/none`, { expected: /404/ });

    await open.page.getByRole('alert').getByText('No queue “none” in this namespace.').waitFor();
  });
});
