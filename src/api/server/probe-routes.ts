import type { FastifyInstance } from 'fastify';
import { BatchError, type Clock, OWNER } from '../../core/index.ts';
import type { Binding } from './bind-route.ts';

const PATIENCE_MS = 5000;

/** For supervisors and load balancers, who have no login: whether, and nothing else. */
export function serveProbes(app: FastifyInstance, { host, clock, gate }: Binding): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (gate.isClosed) throw new BatchError('SHUTTING_DOWN');
    const answers = host
      .handle(OWNER)
      .health()
      .then(
        () => true,
        () => false,
      );
    if (await within(clock, PATIENCE_MS, answers)) return { status: 'ready' };
    const remedy = "See the server's log.";
    throw new BatchError('STORE_UNAVAILABLE', { problem: 'it does not answer', remedy });
  });
}

/** False when there is no answer in time. */
async function within(clock: Clock, ms: number, answer: Promise<boolean>): Promise<boolean> {
  const done = new AbortController();
  const late = clock.sleep(ms, done.signal).then(() => false);
  try {
    return await Promise.race([answer, late]);
  } finally {
    done.abort();
  }
}
