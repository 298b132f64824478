import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { BatchError } from '../../core/index.ts';
import { API_PREFIX } from '../contract/endpoint.ts';

const DOCS_FILES = [
  { url: '/docs', file: 'index.html', type: 'text/html; charset=utf-8' },
  { url: '/docs/docs.css', file: 'docs.css', type: 'text/css; charset=utf-8' },
  { url: '/docs/docs.js', file: 'docs.js', type: 'text/javascript; charset=utf-8' },
];

/** Pages hold no data: whoever may not see any sees an empty page. */
export function servePages(app: FastifyInstance, dashboardDir: string | null): void {
  for (const { url, file, type } of DOCS_FILES) {
    const text = readFileSync(join(import.meta.dirname, 'docs-page', file), 'utf8');
    app.get(`${API_PREFIX}${url}`, async (_, reply) =>
      reply.type(type).header('cache-control', 'no-cache').send(text),
    );
  }
  if (dashboardDir === null) {
    app.get('/', async (_, reply) => reply.redirect(`${API_PREFIX}/docs`));
    return;
  }
  void app.register(fastifyStatic, {
    root: dashboardDir,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = /[/\\]assets[/\\]/.test(path);
      response.setHeader(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
}

export function serveNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler(async ({ method, url }) => {
    throw new BatchError('ROUTE_NOT_FOUND', {
      method,
      path: url.split('?')[0]?.slice(0, 200) ?? '',
    });
  });
}
