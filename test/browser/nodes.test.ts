import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { withBrowser } from './open-browser.ts';
import { openYard } from './open-yard.ts';

const openPage = withBrowser();

describe("the nodes' page", () => {
  it('cordons a node, drains it and lets it work again', async () => {
    await using yard = await openYard();
    await using open = await openPage(`${yard.url}#/nodes`);
    const row = open.page.locator('tr', { hasText: 'node-1' });
    const wish = async () => (await yard.engine.nodes.get('node-1')).wish;

    await row.getByRole('button', { name: 'Cordon' }).click();
    await row.getByText('cordoned').waitFor();
    expect(await wish()).toBe('cordon');

    await row.getByRole('button', { name: 'Drain' }).click();
    await row.getByText('drained').waitFor();
    expect(await wish()).toBe('drain');

    await row.getByRole('button', { name: 'Work' }).click();
    await row.getByText('working').waitFor();
    expect(await wish()).toBe('work');
  });

  it('sets and lifts a limit, and refuses what is none', async () => {
    await using yard = await openYard();
    await using open = await openPage(`${yard.url}#/nodes`);
    const row = open.page.locator('tr', { hasText: 'node-1' });
    const change = row.getByRole('button', { name: 'Change the limit of node-1' });
    const field = row.getByRole('textbox', { name: /Limit of node-1/ });

    await change.click();
    await field.fill('some');
    await row.getByRole('alert').getByText('A whole number').waitFor();
    await field.fill('2');
    await row.getByRole('button', { name: 'Set' }).click();
    await row.getByText('of 2').waitFor();
    expect((await yard.engine.nodes.get('node-1')).maxRunning).toBe(2);

    await change.click();
    await field.fill('');
    await row.getByRole('button', { name: 'Set' }).click();
    await row.getByText('of 4').waitFor();
    expect((await yard.engine.nodes.get('node-1')).maxRunning).toBeNull();
  });

  it('leads to the tasks that a node holds', async () => {
    await using yard = await openYard();
    const [task] = await yard.engine.tasks.submit('talk', [{}]);
    await yard.talking(task?.id ?? '');
    await yard.engine.tasks.submit('idle', [{}]);
    await using open = await openPage(`${yard.url}#/nodes`);

    await open.page.getByRole('link', { name: 'node-1' }).click();

    await open.page.getByRole('heading', { name: 'Tasks on node-1' }).waitFor();
    const names = open.page.locator('.task-table [data-row]');
    await eventually('one row', async () => (await names.count()) === 1);
    expect(await names.textContent()).toBe(task?.id);
  });
});
