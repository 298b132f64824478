import { describe, expect, it } from 'vitest';
import { withBrowser } from './open-browser.ts';
import { openYard } from './open-yard.ts';

const openPage = withBrowser();
const REFUSED = /401|403/;

describe('signing in', () => {
  it('is asked for where it is needed, says when a token is wrong, and lasts as long as the tab', async () => {
    await using yard = await openYard({ auth: 'tokens' });
    const { secret } = await yard.engine.tokens.create({ name: 'eve', role: 'operator' });
    await using open = await openPage(yard.url, { expected: REFUSED });
    const { page } = open;
    const field = page.getByLabel('Access token');
    await page.getByText('This server wants to know who you are.').waitFor();

    await field.fill('wrong');
    await field.press('Enter');
    await page.getByText('The server does not take this token').waitFor();

    await field.fill(secret);
    await field.press('Enter');
    await page.getByRole('link', { name: 'quick', exact: true }).waitFor();

    await page.reload();
    await page.getByRole('link', { name: 'quick', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('This server wants to know who you are.').waitFor();
    expect(await page.getByRole('link', { name: 'quick', exact: true }).count()).toBe(0);
  });

  it('says in words what a role may not do', async () => {
    await using yard = await openYard({ auth: 'tokens' });
    const { secret } = await yard.engine.tokens.create({ name: 'ann', role: 'viewer' });
    await using open = await openPage(`${yard.url}#/queues/quick`, { expected: REFUSED });
    const { page } = open;
    await page.getByLabel('Access token').fill(secret);
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: 'Pause queue' }).click();

    await page.getByText('needs role operator; ann is viewer').waitFor();
    expect((await yard.engine.queues.get('quick')).paused).toBe(false);
  });
});
