import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { findBarriers, withBrowser } from './open-browser.ts';
import { openYard, type Yard } from './open-yard.ts';

const openPage = withBrowser();

/** A yard with something of everything, and where it can be looked at. */
async function fill(yard: Yard): Promise<Record<string, string>> {
  const { engine } = yard;
  await engine.tasks.submit('quick', [{}, {}]);
  const [failed] = await engine.tasks.submit('fail', [{ labels: { team: 'red' } }]);
  const [talking] = await engine.tasks.submit('talk', [
    { params: { item: 'one', count: 2, on: true } },
  ]);
  const [waiting] = await engine.tasks.submit('idle', [{}, { delayMs: 60_000 }, { hold: true }]);
  await engine.queues.create('resting', { paused: true, maxRunning: 2 });
  const talk = await yard.talking(talking?.id ?? '');
  const colours = [...Array(8).keys()].map(
    (one) => `\u001b[${30 + one}mfg\u001b[${90 + one}mbright`,
  );
  const grounds = [...Array(8).keys()].map((one) => `\u001b[0m\u001b[${40 + one}mbg`);
  await talk.say(`${[...colours, ...grounds].join('')}\u001b[0m\nplain\n`);
  await talk.say('trouble\n', 'stderr');
  await engine.tasks.wait({ filter: { ids: [failed?.id ?? ''] }, timeoutMs: 10_000 });
  return {
    overview: '#/',
    queue: '#/queues/idle',
    tasks: '#/tasks?state=failed',
    'running task': `#/tasks/${talking?.id}`,
    'failed task': `#/tasks/${failed?.id}`,
    'waiting task': `#/tasks/${waiting?.id}`,
    nodes: '#/nodes',
    nowhere: '#/nowhere',
  };
}

async function settle(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
}

describe('the pages', () => {
  it.each(['light', 'dark'] as const)(
    'have no serious barriers in %s colours',
    async (colorScheme) => {
      await using yard = await openYard();
      const places = await fill(yard);
      await using open = await openPage(yard.url, { colorScheme });
      const { page } = open;

      for (const [name, hash] of Object.entries(places)) {
        await page.goto(`${yard.url}${hash}`);
        await settle(page);
        if (name === 'running task') await page.locator('.line-stderr').waitFor();
        expect({ name, barriers: await findBarriers(page) }).toEqual({ name, barriers: [] });
      }

      await page.goto(`${yard.url}#/queues/idle`);
      await page.getByRole('button', { name: 'Submit a task' }).click();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog', { name: 'Delete 3 tasks?' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  it('fit a phone', async () => {
    await using yard = await openYard();
    const places = await fill(yard);
    await using open = await openPage(yard.url, { viewport: { width: 360, height: 740 } });
    const { page } = open;

    for (const [name, hash] of Object.entries(places)) {
      await page.goto(`${yard.url}${hash}`);
      await settle(page);
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ name, beyond }).toEqual({ name, beyond: 0 });
    }
  });
});

describe('colours', () => {
  const theme = (page: Page) => page.evaluate('document.documentElement.dataset.theme');

  it("follow the system until the reader chooses, and keep the reader's choice", async () => {
    await using yard = await openYard();
    await using open = await openPage(yard.url, { colorScheme: 'dark' });
    const { page } = open;
    expect(await theme(page)).toBe('dark');
    const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const darkPaper = await paper();

    await page.emulateMedia({ colorScheme: 'light' });
    await eventually('light', async () => (await theme(page)) === 'light');
    expect(await paper()).not.toBe(darkPaper);

    await page.getByRole('button', { name: 'Dark colours' }).click();
    expect(await theme(page)).toBe('dark');
    expect(await paper()).toBe(darkPaper);

    await page.reload();
    expect(await theme(page)).toBe('dark');
  });
});

describe('keys', () => {
  it('search, walk through rows, select and open them, and explain themselves', async () => {
    await using yard = await openYard();
    await yard.engine.tasks.submit('idle', [{ key: 'a' }, { key: 'b' }]);
    await using open = await openPage(`${yard.url}#/queues/idle`);
    const { page } = open;
    await page.getByRole('link', { name: 'b', exact: true }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');

    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Search key, error and params',
    );
    await page.keyboard.press('Escape');

    await page.keyboard.press('j');
    expect(await focused()).toBe('b');
    await page.keyboard.press('j');
    expect(await focused()).toBe('a');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText('1 task selected').waitFor();

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'a', exact: true }).waitFor();
  });

  it('lead from the search to a task by its id, to a queue by its name, and else to what holds the text', async () => {
    await using yard = await openYard();
    const [task] = await yard.engine.tasks.submit('idle', [{ params: { item: 'needle' } }]);
    await using open = await openPage(`${yard.url}#/nodes`);
    const { page } = open;
    const find = async (text: string): Promise<void> => {
      await page.getByRole('combobox', { name: /Find a queue/ }).fill(text);
      await page.keyboard.press('Enter');
    };
    await page.getByText('Live', { exact: true }).waitFor();

    await page.keyboard.press('/');
    await find(task?.id ?? '');
    await page.getByRole('heading', { name: task?.id ?? '' }).waitFor();
    await find('talk');
    await page.getByRole('heading', { name: 'talk' }).waitFor();
    await find('needle');
    await page.getByRole('heading', { name: 'Tasks of all queues' }).waitFor();
    await page.getByRole('link', { name: task?.id ?? '' }).waitFor();
  });
});
