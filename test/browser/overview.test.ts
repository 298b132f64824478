import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { withBrowser } from './open-browser.ts';
import { openYard } from './open-yard.ts';

const openPage = withBrowser();

/** The number that the overview shows for a state. */
function total(state: string): string {
  return `.total.state-${state} .total-count`;
}

describe('the overview', () => {
  it('shows counts that move as work is done, without a reload', async () => {
    await using yard = await openYard();
    await using open = await openPage(yard.url);
    const { page } = open;
    await page.locator(total('succeeded'), { hasText: /^0$/ }).waitFor();

    await yard.engine.tasks.submit('quick', Array(25).fill({}));
    await yard.engine.tasks.submit('fail', [{}]);

    await page.locator(total('succeeded'), { hasText: /^25$/ }).waitFor();
    await page.locator(total('failed'), { hasText: /^1$/ }).waitFor();
    const row = page.locator('tr', { has: page.getByRole('link', { name: 'quick', exact: true }) });
    expect(await row.textContent()).toContain('25');
    expect(await row.getByRole('img', { name: '25 succeeded' }).count()).toBe(1);
    await page.locator('.rate-chart figcaption', { hasText: 'peak' }).waitFor();
  });

  it('shows a queue that is made, paused and limited meanwhile', async () => {
    await using yard = await openYard({ queues: false });
    await using open = await openPage(yard.url);
    const { page } = open;
    await page.getByText('The yard is empty').waitFor();

    await yard.engine.queues.create('late', { paused: true, maxRunning: 7 });

    const row = page.locator('tr', { has: page.getByRole('link', { name: 'late', exact: true }) });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/paused.*at most 7/);
  });

  it('tells a newcomer how to begin', async () => {
    await using yard = await openYard({ queues: false });
    await using open = await openPage(yard.url);

    const commands = open.page.locator('.empty-yard code');

    await commands.first().waitFor();
    const server = `--server ${new URL(yard.url).origin}`;
    expect(await commands.allTextContents()).toEqual([
      `batchyard queue create hello --program echo "hello {item}" ${server}`,
      `batchyard submit hello --array 1-1000 ${server}`,
      `batchyard top ${server}`,
    ]);
  });

  it('shows nodes with the slots they use', async () => {
    await using yard = await openYard();
    const [task] = await yard.engine.tasks.submit('talk', [{}]);
    await yard.talking(task?.id ?? '');
    await using open = await openPage(yard.url);

    const row = open.page.locator('section[aria-label=Nodes] tr', { hasText: 'node-1' });

    await row.getByText('1 of 4').waitFor();
    expect(await row.textContent()).toMatch(/working.*(now|s ago)/);
  });

  it('stands still while paused, and goes on', async () => {
    await using yard = await openYard();
    await using open = await openPage(yard.url, { hasClock: true });
    const { page } = open;
    const pause = page.getByRole('button', { name: 'Pause updates' });
    await page.getByText('Live', { exact: true }).waitFor();

    await pause.click();
    await page.getByText('Paused', { exact: true }).waitFor();
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await yard.engine.tasks.submit('quick', [{}]);
    await page.clock.runFor(10_000);
    expect(requests).toBe(0);
    expect(await page.locator(total('succeeded')).textContent()).toBe('0');

    await pause.click();
    await page.locator(total('succeeded'), { hasText: /^1$/ }).waitFor();
  });

  it('says that it reconnects while the server is away, and goes on by itself', async () => {
    await using yard = await openYard();
    await using open = await openPage(yard.url, { expected: /Failed to load resource/ });
    const { page } = open;
    await page.getByText('Live', { exact: true }).waitFor();

    await yard.stopServer();
    await page.getByText('Reconnecting…').waitFor();
    await page.getByText('The server does not answer').waitFor();
    await yard.engine.tasks.submit('quick', [{}, {}]);
    await yard.startServer();

    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator(total('succeeded'), { hasText: /^2$/ }).waitFor();
  });

  it('shows another namespace when it is chosen, and stays there', async () => {
    await using yard = await openYard();
    await yard.engine.in('other').queues.create('elsewhere');
    await using open = await openPage(yard.url);
    const { page } = open;

    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('other');
    await page.getByRole('link', { name: 'elsewhere', exact: true }).click();

    await page.getByRole('heading', { name: 'elsewhere' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await page.getByRole('link', { name: 'elsewhere', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'quick', exact: true }).count()).toBe(0);
  });

  it('filters queues by name, and leads to a queue', async () => {
    await using yard = await openYard();
    for (const name of ['mail-in', 'mail-out']) await yard.engine.queues.create(name);
    await using open = await openPage(yard.url);
    const { page } = open;

    await page.getByRole('searchbox', { name: 'Filter queues' }).fill('MAIL');

    const names = page.locator('.queue-table [data-row]');
    await eventually('two queues', async () => (await names.count()) === 2);
    await names.first().click();
    await page.getByRole('heading', { name: 'mail-in' }).waitFor();
  });
});
