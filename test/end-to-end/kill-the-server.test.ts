import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort, type ServerProcess, startServer } from './server-process.ts';

const TASKS = Number(process.env.BATCHYARD_KILL_TASKS ?? 10_000);
const KILLS = 10;
const PER_CALL = 100;
const LEASE_MS = 2000;
const IN_DEFAULT = '/namespaces/default';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'batchyard-kill-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves one line per run: task, fence. */
function writeProgram(): string {
  const file = join(folder, 'work.sh');
  writeFileSync(
    file,
    `#!/bin/sh\necho "$BATCHYARD_TASK $BATCHYARD_FENCE" >> ${join(folder, 'effects.log')}\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

describe('kill -9 of the whole server, ten times, under load', () => {
  it('loses no acknowledged task, ends each exactly once, and lets no stale attempt change anything', async () => {
    const port = await freePort();
    const start = () => startServer(port, ['--store', 'sqlite:yard.db', '--slots', '8'], folder);
    let server: ServerProcess = await start();
    const program = { argv: [writeProgram()], cwd: null, env: {} };
    const created = await server.request('POST', `${IN_DEFAULT}/queues`, {
      name: 'work',
      program,
      leaseMs: LEASE_MS,
      maxLosses: null,
      maxAttempts: null,
    });
    expect(created).toMatchObject({ status: 201 });

    const acknowledged = new Set<string>();
    const submitAll = async (): Promise<void> => {
      for (let call = 0; call < TASKS / PER_CALL; call++) {
        const tasks = Array.from({ length: PER_CALL }, (_, k) => ({
          key: `${call}/${k}`,
          params: { call, k },
        }));
        await eventually(
          'a submission is acknowledged',
          async () => {
            const reply = await server
              .request(
                'POST',
                `${IN_DEFAULT}/queues/work/tasks`,
                { tasks },
                { 'idempotency-key': `call-${call}` },
              )
              .catch(() => null);
            if (reply?.status !== 201) return false;
            for (const { id } of reply.body.tasks) acknowledged.add(id);
            return true;
          },
          60_000,
        );
      }
    };
    const succeeded = async (): Promise<number> => {
      const reply = await server
        .request('GET', `${IN_DEFAULT}/queues/work/counts`)
        .catch(() => null);
      return reply?.status === 200 ? reply.body.succeeded : 0;
    };
    const killAgainAndAgain = async (): Promise<void> => {
      for (let kill = 1; kill <= KILLS; kill++) {
        const enough = (kill * TASKS) / (KILLS + 1);
        await eventually('work has gone on', async () => (await succeeded()) >= enough, 120_000);
        await server.kill('SIGKILL');
        server = await start();
      }
    };

    await Promise.all([submitAll(), killAgainAndAgain()]);
    await eventually('all have succeeded', async () => (await succeeded()) === TASKS, 120_000);
    expect(await server.kill('SIGTERM')).toBe(0);

    expect(acknowledged.size).toBe(TASKS);
    audit(acknowledged);
  }, 600_000);
});

/** Looks into the file itself and at what the program left behind; shares no code with the product. */
function audit(acknowledged: ReadonlySet<string>): void {
  const db = new DatabaseSync(join(folder, 'yard.db'), { readOnly: true });
  const rows = db
    .prepare('select row, hex(id) id, state, fence, claim_count, ended_at from tasks')
    .all() as {
    row: number;
    id: string;
    state: number;
    fence: number;
    claim_count: number;
    ended_at: number | null;
  }[];
  const attempts = db
    .prepare('select task, fence, outcome, ended_at from attempts order by task, fence')
    .all() as {
    task: number;
    fence: number;
    outcome: number;
    ended_at: number;
  }[];
  const [counters] = db
    .prepare('select queued + delayed + held + claimed + running open, succeeded from queues')
    .all();
  db.close();

  expect(new Set(rows.map(({ id }) => id.toLowerCase()))).toEqual(acknowledged);
  expect(rows.filter(({ state, ended_at }) => state !== 5 || ended_at === null)).toEqual([]);
  expect({ ...counters }).toEqual({ open: 0, succeeded: rows.length });
  const successes = new Map<number, number>();
  for (const { task, outcome } of attempts) {
    if (outcome === 0) successes.set(task, (successes.get(task) ?? 0) + 1);
  }
  expect([...successes.values()].every((count) => count === 1)).toBe(true);
  expect(successes.size).toBe(rows.length);
  // Every run that left an effect was an attempt the store knows, and no task ran without one.
  const known = new Map(rows.map(({ row, id }) => [id.toLowerCase(), row]));
  const fences = new Set(attempts.map(({ task, fence }) => `${task} ${fence}`));
  const effects = readFileSync(join(folder, 'effects.log'), 'utf8').trim().split('\n');
  for (const line of effects) {
    const [task, fence] = line.split(' ');
    expect(fences.has(`${known.get(task ?? '')} ${fence}`)).toBe(true);
  }
  expect(new Set(effects.map((line) => line.split(' ')[0])).size).toBe(rows.length);
}
