import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApi } from './api-fixture.ts';

function aDashboard(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'batchyard-dashboard-'));
  mkdirSync(join(path, 'assets'));
  writeFileSync(join(path, 'index.html'), '<!doctype html><title>Yard</title>');
  writeFileSync(join(path, 'assets', 'main-1a2b.js'), 'export {};');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

describe('the page about the API', () => {
  it('keeps to the content security policy: nothing inline, nothing from elsewhere', async () => {
    await using api = await openApi();

    const { body, headers } = await api.ask({ method: 'GET', url: '/api/v1/docs' });

    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?:/i);
    const files = [...body.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file);
    expect(files).toHaveLength(2);
    for (const file of files) {
      const response = await api.ask({ method: 'GET', url: `/api/v1/${file}` });
      expect([response.statusCode, response.body.length > 100]).toEqual([200, true]);
    }
  });

  it('builds the page from text only', async () => {
    await using api = await openApi();

    const { body } = await api.ask({ method: 'GET', url: '/api/v1/docs/docs.js' });

    expect(body).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(/,
    );
  });
});

describe('the dashboard', () => {
  it('is served at the root, its built files for good and its page always fresh', async () => {
    using dashboard = aDashboard();
    await using api = await openApi('loopback', dashboard.path);

    const page = await api.ask({ method: 'GET', url: '/' });
    const script = await api.ask({ method: 'GET', url: '/assets/main-1a2b.js' });

    expect([page.statusCode, page.body]).toEqual([200, '<!doctype html><title>Yard</title>']);
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(script.headers['content-type']).toMatch(/javascript/);
    expect(script.headers['cache-control']).toContain('immutable');
  });

  it.each(['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '/.env', '/assets/'])(
    'gives nothing for %s',
    async (url) => {
      using dashboard = aDashboard();
      await using api = await openApi('loopback', dashboard.path);

      const response = await api.ask({ method: 'GET', url });

      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.statusCode).toBeLessThan(500);
      expect(response.json().error.code).toBeTypeOf('string');
    },
  );

  it('is pointed past when there is none', async () => {
    await using api = await openApi();

    const response = await api.ask({ method: 'GET', url: '/' });

    expect([response.statusCode, response.headers.location]).toEqual([302, '/api/v1/docs']);
  });
});
