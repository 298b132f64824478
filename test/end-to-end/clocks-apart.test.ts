/** Processes whose wall clocks are hours apart behave as if they agreed: the store's clock decides. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMongod } from '../support/databases/mongo.ts';
import { startPostgres } from '../support/databases/postgres-server.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf } from './support/api.ts';
import { readEffects, runsByTask } from './support/effects.ts';
import { wallClockOff } from './support/fake-time.ts';
import { type ProgramProcess, startCli, startWorker } from './support/program-process.ts';

const LEASE_MS = 1500;
const WORK_MS = 4000;
const DELAY_MS = 2500;
const QUEUE = 'apart';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'batchyard-clocks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['PostgreSQL', () => startPostgres()],
  ['MongoDB', async () => withDatabase(await startMongod('standalone'))],
])('a server an hour behind and nodes an hour ahead and right, on %s', (name, open) => {
  it('keep each other’s leases, and start delayed tasks when they are due', async () => {
    const database = await open();
    const effects = join(folder, `${name}.log`);
    const processes: ProgramProcess[] = [];
    try {
      const server = startCli(['serve', '--store', database.url, '--listen', '127.0.0.1:0'], {
        cwd: folder,
        environment: wallClockOff('-1h'),
      });
      processes.push(server);
      const [, url = ''] = await server.seen(/(http:\/\/127\.0\.0\.1:\d+)/);
      const api = apiOf(url);
      await api.request('POST', '/queues', { name: QUEUE, leaseMs: LEASE_MS, maxLosses: 0 });
      for (const environment of [wallClockOff('+1h'), {}]) {
        const options = { store: database.url, queue: QUEUE, slots: 4, effects, cwd: folder };
        processes.push(startWorker({ ...options, workMs: WORK_MS, environment }));
      }
      await Promise.all(processes.slice(1).map((worker) => worker.seen(/ready/)));

      const ids = await api.submit(QUEUE, Array(6).fill({}), 'now');
      const [late = ''] = await api.submit(QUEUE, [{ delayMs: DELAY_MS }], 'later');
      await eventually(
        'all have succeeded',
        async () => (await api.counts(QUEUE)).succeeded === 7,
        40_000,
      );

      const runs = runsByTask(readEffects(effects));
      expect([...runs.values()]).toEqual(Array(7).fill(1));
      expect([...runs.keys()].toSorted()).toEqual([...ids, late].toSorted());
      const { body } = await api.request('GET', `/tasks/${late}/attempts`);
      const { body: task } = await api.request('GET', `/tasks/${late}`);
      const waited = Date.parse(body.attempts[0].claimedAt) - Date.parse(task.createdAt);
      expect(waited).toBeGreaterThanOrEqual(DELAY_MS);
      expect(waited).toBeLessThan(DELAY_MS + 10_000);
    } finally {
      await Promise.all(processes.map((one) => one.kill('SIGKILL')));
      await database.stop();
    }
  }, 120_000);
});

function withDatabase<Server extends { readonly url: string }>(server: Server): Server {
  return { ...server, url: server.url.replace('/?', '/yard?') };
}
