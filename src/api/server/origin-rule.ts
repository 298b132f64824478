import type { IncomingHttpHeaders } from 'node:http';
import { BatchError } from '../../core/index.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export interface OriginRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Who needs no login must still be a program or page of this machine's user: otherwise any web
 * page could create a queue with a program. FOREIGN_ORIGIN for a name this server does not go by
 * (a page that had its own name point here), and for requests that another site's page makes.
 */
export function checkOrigin(request: OriginRequest, allowedHosts: readonly string[]): void {
  const { host = '', origin, 'sec-fetch-site': site } = request.headers;
  const known = [...LOOPBACK_HOSTS, ...allowedHosts];
  if (!known.includes(host.toLowerCase()) && !known.includes(withoutPort(host))) {
    throw foreign(
      `this server is not "${host.slice(0, 100)}"`,
      'Use http://localhost, or add the name to allowedHosts.',
    );
  }
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase()) {
    throw foreign('the request comes from a page of another site', 'Use the dashboard.');
  }
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  if (!isOwn && !isLink(request)) {
    throw foreign('the request comes from a page of another site', 'Use the dashboard.');
  }
}

/** Following a link to a page does nothing and shows its site nothing. */
function isLink({ method, path, headers }: OriginRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && !path.startsWith('/api/');
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function foreign(problem: string, remedy: string): BatchError {
  return new BatchError('FOREIGN_ORIGIN', { problem, remedy });
}
