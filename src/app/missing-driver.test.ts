import { describe, expect, it } from 'vitest';
import { withDriver } from './missing-driver.ts';

const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from store.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

describe('a store whose driver is not installed', () => {
  it('is refused with the command that installs it', async () => {
    const loading = withDriver('pg', () => Promise.reject(missing('pg')));

    await expect(loading).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message:
        'The store cannot be used: it needs the package pg, which is not installed. Install it: npm install pg',
    });
  });

  it('is not blamed for another error', async () => {
    const other = missing('something-else');

    await expect(withDriver('pg', () => Promise.reject(other))).rejects.toBe(other);
  });

  it('is loaded otherwise', async () => {
    expect(await withDriver('pg', async () => 'loaded')).toBe('loaded');
  });
});
