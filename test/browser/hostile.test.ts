import { describe, expect, it } from 'vitest';
import { withBrowser } from './open-browser.ts';
import { openYard, type Yard } from './open-yard.ts';

const openPage = withBrowser();

/** What an attacker, or bad luck, puts into every field that is shown. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script><svg onload=alert(3)>',
  'javascript:alert(4)',
  "';alert(5);//{{alert(6)}}#{alert(7)}",
  '\u202egnp.exe\u202c \u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u2066isolate\u2069',
  `long ${'x'.repeat(200)}`,
];
const LONG = 'y'.repeat(20_000);
const ESCAPES =
  '\u001b]0;title\u0007\u001b]8;;javascript:alert(8)\u001b\\link\u001b]8;;\u001b\\\u001b[2J\u001b[?1049h\u009b31m\u0000';

async function fill(yard: Yard): Promise<string[]> {
  const { queues, tasks, nodes } = yard.engine;
  const ids: string[] = [];
  for (const text of HOSTILE) {
    await queues.create(text, { handler: 'talk', data: text });
    await nodes.heartbeat(`node ${text}`, {
      host: text,
      version: text,
      handlers: [text],
      mode: text,
    });
    const [task] = await tasks.submit(text, [
      { key: text, params: { [text]: text, long: LONG }, labels: { [text.slice(0, 100)]: text } },
    ]);
    const id = task?.id ?? '';
    ids.push(id);
    const talk = await yard.talking(id);
    await talk.say(`${text}\n${ESCAPES}${text}\n${LONG}\n`);
    await talk.say(`${text}\n`, 'stderr');
    talk.end();
  }
  await queues.create('bad', { handler: 'fail', maxAttempts: 1 });
  const failed = await tasks.submit(
    'bad',
    HOSTILE.map((message) => ({ params: { message } })),
  );
  await tasks.wait({ filter: {}, timeoutMs: 20_000 });
  return [...ids, ...failed.map(({ id }) => id)];
}

describe('hostile text', () => {
  it('is shown as text on every page and does nothing', { timeout: 120_000 }, async () => {
    await using yard = await openYard({ queues: false });
    const ids = await fill(yard);
    await using open = await openPage(yard.url);
    const { page, troubles } = open;
    const visit = async (hash: string, text: string): Promise<void> => {
      await page.goto(`${yard.url}#/${hash}`);
      await page.getByText(text, { exact: false }).first().waitFor();
      expect(troubles).toEqual([]);
      // Nothing of it became an element, and nothing makes the page wider than the window.
      expect(await page.locator('img, script:not([src]), #app a[href^=javascript]').count()).toBe(
        0,
      );
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      ).toBeLessThanOrEqual(0);
    };

    for (const [index, text] of HOSTILE.entries()) {
      const name = text.slice(0, 12);
      await visit('', name);
      await visit(`queues/${encodeURIComponent(text)}`, name);
      await visit(`tasks?search=${encodeURIComponent(text.slice(0, 30))}`, name);
      await visit(`tasks/${ids[index]}`, name);
      await page.locator('.line-stderr').first().waitFor();
      await visit(`tasks/${ids[index + HOSTILE.length]}`, name);
    }
    await visit('nodes', 'node <img src=x onerror=alert(1)>');
    expect(await page.title()).toBe('Nodes – Batchyard');
  });

  it('in the address itself does nothing either', async () => {
    await using yard = await openYard();
    await using open = await openPage(yard.url, { expected: /404|400/ });
    const { page } = open;

    for (const text of HOSTILE) {
      await page.goto(
        `${yard.url}#/queues/${encodeURIComponent(text)}?search=${encodeURIComponent(text)}`,
      );
      await page.getByRole('alert').getByText('No queue').waitFor();
      await page.goto(`${yard.url}#/${text}`);
      await page.getByText('There is nothing at this address.').waitFor();
    }
  });
});
