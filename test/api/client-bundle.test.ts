import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { ROOT } from '../support/source-files.ts';
import { openApi } from './api-fixture.ts';
import { injectFetch } from './inject-fetch.ts';

/** What a page does with the client, ending in text. */
const PAGE = `
  import { connectEngine } from '${join(ROOT, 'src/client/connect-engine.ts')}';
  globalThis.page = async (fetch) => {
    const engine = connectEngine({ url: 'http://localhost', fetch });
    await engine.queues.create('q');
    const key = new Uint8Array([255, 0]);
    await engine.tasks.submit('q', [{ key, params: { a: 1 } }]);
    const { claims: [claim] } = await engine.attempts.claim({ node: 'page' });
    const chunk = { number: 1, stream: 'stdout', offset: 0, bytes: new Uint8Array([104, 105]) };
    await engine.outputs.append(claim.taskId, claim.fence, [chunk]);
    const { chunks } = await engine.outputs.read(claim.taskId);
    const error = await engine.queues.get('none').catch(({ code }) => code);
    return JSON.stringify([[...claim.key], [...chunks[0].bytes], error]);
  };`;

/** Names a page has; Node's own are left out. */
const BROWSER = [
  'AbortController',
  'AbortSignal',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'atob',
  'btoa',
  'clearTimeout',
  'crypto',
  'performance',
  'setTimeout',
] as const;

it('runs in a page, where nothing of Node is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-page-'));
  try {
    const entry = join(folder, 'page.js');
    writeFileSync(entry, PAGE);
    const output = (await build({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'bundle' } },
    })) as unknown as Rolldown.RolldownOutput[];
    const code = output[0]?.output[0].code ?? '';
    await using api = await openApi();
    const context = createContext(
      Object.fromEntries(BROWSER.map((name) => [name, globalThis[name]])),
    );

    runInContext(code, context);
    const text = await context.page(injectFetch(api.app));

    expect(code).not.toMatch(/from ["']node:|require\(|__vite-browser-external|process\./);
    expect(JSON.parse(text)).toEqual([[255, 0], [104, 105], 'QUEUE_NOT_FOUND']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
