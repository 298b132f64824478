import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { apiOf } from './api.ts';
import { type Effect, readEffects } from './effects.ts';
import { type ProgramProcess, startCli, startWorker } from './program-process.ts';

const QUEUE = 'load';
const PER_CALL = 20;
const LEASE_MS = 3000;

/** A server and two nodes at work, with somebody who submits all the time. */
export interface Load extends AsyncDisposable {
  /** Ids of tasks that the server has taken. */
  readonly acknowledged: ReadonlySet<string>;
  readonly processes: readonly ProgramProcess[];
  effects(): Effect[];
  /** Waits until this many more tasks have been run. */
  untilRun(more: number, deadlineMs?: number): Promise<void>;
  /** Submits no more, and waits until all have succeeded; gives the counts by state. */
  finish(): Promise<Record<string, number>>;
}

export interface LoadOptions {
  readonly store: string;
  /** For each of the nodes in turn. */
  readonly environments?: readonly Readonly<Record<string, string>>[];
}

export async function startLoad({ store, environments = [{}, {}] }: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-load-'));
  const file = join(folder, 'effects.log');
  const server = startCli(['serve', '--store', store, '--listen', '127.0.0.1:0'], { cwd: folder });
  const [, url = ''] = await server.seen(/(http:\/\/127\.0\.0\.1:\d+)/);
  const api = apiOf(url);
  const settings = { leaseMs: LEASE_MS, maxAttempts: null, maxLosses: null };
  const created = await api.request('POST', '/queues', { name: QUEUE, ...settings });
  if (created.status !== 201) throw new Error(`No queue: ${JSON.stringify(created.body)}`);
  const workers = environments.map((environment) =>
    startWorker({
      store,
      queue: QUEUE,
      slots: 4,
      effects: file,
      workMs: 5,
      cwd: folder,
      environment,
    }),
  );
  await Promise.all(workers.map((worker) => worker.seen(/ready/)));

  const acknowledged = new Set<string>();
  let isOver = false;
  const submit = async (): Promise<void> => {
    for (let call = 0; !isOver; call++) {
      const tasks = Array.from({ length: PER_CALL }, (_, k) => ({ key: `${call}/${k}` }));
      const ids = await eventually(
        'a submission is acknowledged',
        () => api.submit(QUEUE, tasks, `call-${call}`).catch(() => null),
        120_000,
      );
      for (const id of ids) acknowledged.add(id);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const submitting = submit();
  submitting.catch(() => {}); // awaited at the end
  const countRuns = (): number => readEffects(file).filter(({ what }) => what === 'end').length;

  return {
    acknowledged,
    processes: [server, ...workers],
    effects: () => readEffects(file),
    async untilRun(more, deadlineMs = 30_000) {
      const wanted = countRuns() + more;
      await eventually(`${more} more have run`, () => countRuns() >= wanted, deadlineMs);
    },
    async finish() {
      isOver = true;
      await submitting;
      return eventually(
        'all have succeeded',
        async () => {
          const counts = await api.counts(QUEUE).catch(() => null);
          return counts?.succeeded === acknowledged.size ? counts : null;
        },
        60_000,
      );
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all([server, ...workers].map((one) => one.kill('SIGKILL')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
