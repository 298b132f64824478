import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What should not have happened: dialogs, errors, violations of the page's policy. */
  readonly troubles: string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** Troubles that this test brings about itself. */
  readonly expected?: RegExp;
  /** The page's time can be turned by hand (`page.clock`). */
  readonly hasClock?: boolean;
}

/** One browser for a file of tests; each test has pages of its own. */
export function withBrowser(): (url: string, options?: PageOptions) => Promise<OpenPage> {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: inject('chromiumPath'), args: FLAGS });
  });
  afterAll(() => browser?.close());

  return async (url, { expected, hasClock, ...options } = {}) => {
    if (browser === null) throw new Error('The browser was not started.');
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const troubles = watch(page, expected);
    if (hasClock) await page.clock.install();
    await page.goto(url);
    return {
      page,
      troubles,
      async [Symbol.asyncDispose]() {
        await context.close();
        // Soft, so that it does not hide what went wrong before it.
        expect.soft(troubles).toEqual([]);
      },
    };
  };
}

/** Chromium reports violations of the policy as errors on the console. */
function watch(page: Page, expected: RegExp | undefined): string[] {
  const troubles: string[] = [];
  const note = (text: string): void => {
    if (!expected?.test(text)) troubles.push(text);
  };
  page.on('dialog', (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(message.text());
  });
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  return troubles;
}

/** What keeps people with other eyes or hands from using the page. */
export async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
