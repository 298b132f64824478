import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { withBrowser } from './open-browser.ts';
import { openYard, type Yard } from './open-yard.ts';

const openPage = withBrowser();

async function submitted(yard: Yard, queue: string, params = {}): Promise<string> {
  const [task] = await yard.engine.tasks.submit(queue, [{ params }]);
  return task?.id ?? '';
}

async function ended(yard: Yard, id: string): Promise<void> {
  const { done } = await yard.engine.tasks.wait({ filter: { ids: [id] }, timeoutMs: 20_000 });
  expect(done).toBe(true);
}

describe("a task's page", () => {
  it('shows output while it is written, streams and colours told apart', async () => {
    await using yard = await openYard();
    const id = await submitted(yard, 'talk', { item: 1 });
    const talk = await yard.talking(id);
    await using open = await openPage(`${yard.url}#/tasks/${id}`);
    const { page } = open;
    await page.getByText('Nothing written yet.').waitFor();

    await talk.say('plain \u001b[32mgreen\u001b[0m\n');
    await page.locator('.line-stdout .ansi-fg-2', { hasText: 'green' }).waitFor();
    await talk.say('trouble\n', 'stderr');
    const trouble = page.locator('.line-stderr', { hasText: 'trouble' });
    await trouble.waitFor();
    expect(await trouble.locator('.line-mark').textContent()).toBe('err');
    await talk.say('10%\r20%');
    await talk.say('\r100%\n');
    await page.locator('.line-text', { hasText: /^100%$/ }).waitFor();

    talk.end();
    await page.getByText('3 lines, ended').waitFor();
    await page.locator('.state-large', { hasText: 'succeeded' }).waitFor();
    await page.getByRole('region', { name: 'Result' }).getByText('"said all"').waitFor();
  });

  it('follows the end until the reader scrolls up, and again when told to', async () => {
    await using yard = await openYard();
    const id = await submitted(yard, 'talk');
    const talk = await yard.talking(id);
    await using open = await openPage(`${yard.url}#/tasks/${id}`);
    const { page } = open;
    const lines = page.getByRole('region', { name: 'Lines of output' });
    const say = async (from: number, to: number): Promise<void> => {
      for (let number = from; number <= to; number += 1) await talk.say(`line ${number}\n`);
      await page.locator('.line-text', { hasText: new RegExp(`^line ${to}$`) }).waitFor();
    };
    const isInView = async (number: number): Promise<boolean> => {
      const line = page.locator('.line-text', { hasText: new RegExp(`^line ${number}$`) });
      return bottomOf(await line.boundingBox()) <= bottomOf(await lines.boundingBox());
    };

    await say(1, 200);
    expect(await isInView(200)).toBe(true);

    await lines.hover();
    await page.mouse.wheel(0, -2000);
    await page.getByRole('button', { name: 'Jump to end' }).waitFor();
    await say(201, 300);
    expect(await isInView(300)).toBe(false);

    await page.getByRole('button', { name: 'Jump to end' }).click();
    await eventually('the last line is in view', () => isInView(300));
    await say(301, 320);
    expect(await isInView(320)).toBe(true);
  });

  it('keeps the page small whatever is written, says so, and gives the whole as a file', async () => {
    await using yard = await openYard();
    const id = await submitted(yard, 'talk');
    const talk = await yard.talking(id);
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1} of many\n`).join(
      '',
    );
    for (let start = 0; start < text.length; start += 50_000) {
      await talk.say(text.slice(start, start + 50_000));
    }
    talk.end();
    await ended(yard, id);
    await using open = await openPage(`${yard.url}#/tasks/${id}`);
    const { page } = open;

    await page.locator('.line-text', { hasText: 'line 20000 of many' }).waitFor();
    expect(await page.locator('.line').count()).toBeLessThanOrEqual(5000);
    await page.getByText('at most 5,000 lines are shown').waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${id}-1.txt`);
    expect(readFileSync(await download.path(), 'utf8')).toBe(text);
  });

  it('cancels a program that runs, and shows when it is gone', async () => {
    await using yard = await openYard();
    const id = await submitted(yard, 'sleep');
    await using open = await openPage(`${yard.url}#/tasks/${id}`);
    const { page } = open;
    await page.locator('.line-text', { hasText: 'begun' }).waitFor();

    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();

    await page.locator('.state-large', { hasText: 'terminated' }).waitFor();
    const attempts = page.getByRole('region', { name: 'Attempts' });
    expect(await attempts.locator('tbody tr').textContent()).toMatch(/^1cancelled.*node-1/);
  });

  it('says why it is not running', async () => {
    await using yard = await openYard();
    await yard.engine.queues.pause('quick');
    await submitted(yard, 'quick');
    const id = await submitted(yard, 'quick');
    await using open = await openPage(`${yard.url}#/tasks/${id}`);

    const why = open.page.getByRole('region', { name: 'Why it is not running' });

    await why.getByText('Queue "quick" is paused.').waitFor();
    await why.getByText('1 task is ahead of it.').waitFor();
  });

  it('shows every attempt, and the output of the one that is chosen', async () => {
    await using yard = await openYard();
    const id = await submitted(yard, 'talk');
    for (const word of ['first', 'second']) {
      const talk = await yard.talking(id);
      await talk.say(`${word} try\n`);
      talk.end();
      await ended(yard, id);
      if (word === 'first') await yard.engine.tasks.retry(id);
      await eventually('the try is over', async () => {
        const attempts = await yard.engine.attempts.list(id);
        return word === 'first' || attempts.length === 2;
      });
    }
    await using open = await openPage(`${yard.url}#/tasks/${id}`);
    const { page } = open;
    await page.locator('.line-text', { hasText: 'second try' }).waitFor();

    await page.getByRole('link', { name: 'Show the output of attempt 1' }).click();

    await page.locator('.line-text', { hasText: 'first try' }).waitFor();
    expect(await page.locator('.line-text', { hasText: 'second try' }).count()).toBe(0);
  });

  it('shows the error, and offers what can be done in each state', async () => {
    await using yard = await openYard();
    const id = await submitted(yard, 'fail', { message: 'no such file: a.jpg' });
    await ended(yard, id);
    await yard.engine.queues.pause('fail');
    await using open = await openPage(`${yard.url}#/tasks/${id}`);
    const { page } = open;
    const actions = () => page.locator('.page-actions button').allTextContents();

    await page.getByRole('alert').getByText('no such file: a.jpg').waitFor();
    expect(await actions()).toEqual(['Retry', 'Delete']);

    await page.getByRole('button', { name: 'Retry' }).click();
    await page.locator('.state-large', { hasText: 'queued' }).waitFor();
    expect(await actions()).toEqual(['Hold', 'Cancel', 'Delete']);

    await page.getByRole('button', { name: 'Hold' }).click();
    await page.locator('.state-large', { hasText: 'held' }).waitFor();
    expect(await actions()).toEqual(['Release', 'Cancel', 'Delete']);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the task' }).click();
    await page.getByRole('heading', { name: 'fail' }).waitFor();
    expect(await yard.engine.tasks.find(id)).toBeNull();
  });
});

function bottomOf(box: { readonly y: number; readonly height: number } | null): number {
  return Math.floor((box?.y ?? 0) + (box?.height ?? 0));
}
