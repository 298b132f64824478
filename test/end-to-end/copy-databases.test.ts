import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyStore } from '../../src/app/copy-store.ts';
import { openStore } from '../../src/app/open-store.ts';
import type { StoreAddress } from '../../src/app/store-address.ts';
import type { CopyAnswer } from '../../src/core/archive/copy-archive.ts';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { type MongoServer, startMongod } from '../support/databases/mongo.ts';
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts';
import { seedYard, UNTRIED } from './support/yard.ts';

const TASKS = Number(process.env.BATCHYARD_COPY_TASKS ?? 300);
const OUTPUT_BYTES = Number(process.env.BATCHYARD_COPY_OUTPUT_MB ?? 2) * 1024 * 1024;
const OUTPUTS = 1;
const TIMEOUT_MS = 1_800_000;
const CONTEXT = { clock: systemClock, random: systemRandom };
const KINDS = ['sqlite', 'postgres', 'mongodb'] as const;
type Kind = (typeof KINDS)[number];

let folder: string;
let postgres: PostgresServer;
let mongo: MongoServer;
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'batchyard-copy-'));
  [postgres, mongo] = await Promise.all([startPostgres(), startMongod('standalone')]);
}, TIMEOUT_MS);

afterAll(async () => {
  await Promise.all([postgres?.stop(), mongo?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Of a store that is not there yet. */
function newAddress(kind: Kind): StoreAddress {
  count += 1;
  if (kind === 'sqlite') return { kind, file: join(folder, `yard${count}.db`) };
  const url = new URL(kind === 'postgres' ? postgres.url : mongo.url);
  if (kind === 'postgres') url.searchParams.set('schema', `yard${count}`);
  else url.pathname = `/yard${count}`;
  return { kind, url: url.href };
}

async function seed(kind: Kind): Promise<StoreAddress> {
  const address = newAddress(kind);
  await using store = await openStore(address, CONTEXT);
  await seedYard(store, { tasks: TASKS, outputs: OUTPUTS, outputBytes: OUTPUT_BYTES });
  return address;
}

/** Breaks off once so many tasks have been read. */
function copy(from: StoreAddress, to: StoreAddress, breakAt = Infinity): Promise<CopyAnswer> {
  const breaking = new AbortController();
  return copyStore(
    { from, to, namespaces: null, drain: true },
    {
      ...CONTEXT,
      signal: breaking.signal,
      onProgress({ step, tasks }) {
        if (step === 'copying' && tasks >= breakAt) breaking.abort();
      },
    },
  );
}

/** Interrupted once; gives the one hash that both sides have. */
async function copyInTwo(from: StoreAddress, to: StoreAddress): Promise<string> {
  expect(await copy(from, to, TASKS * 0.8)).toEqual({ status: 'stopped' });
  const answer = await copy(from, to);
  const whole = { tasks: TASKS + UNTRIED, attempts: TASKS, outputBytes: OUTPUTS * OUTPUT_BYTES };
  expect(answer).toMatchObject({
    ...{ status: 'copied', refused: [] },
    queues: [{ isSame: true, source: whole, destination: whole }],
  });
  if (answer.status !== 'copied') throw new Error(answer.status);
  expect(answer.there).toBeGreaterThan(0);
  expect(answer.put + answer.there).toBe(TASKS + UNTRIED);
  return answer.queues[0]?.source.hash ?? '';
}

const PAIRS = KINDS.flatMap((from) => KINDS.filter((to) => to !== from).map((to) => [from, to]));

describe('a copy that was broken off and begun again', () => {
  it.each(PAIRS as [Kind, Kind][])(
    'from %s to %s ends with equal counts and hashes on both sides',
    async (from, to) => {
      await copyInTwo(await seed(from), newAddress(to));
    },
    TIMEOUT_MS,
  );

  it(
    'comes back through all databases as it went',
    async () => {
      const stops = [await seed('sqlite')];
      const hashes: string[] = [];
      for (const kind of ['postgres', 'mongodb', 'sqlite'] as const) {
        const from = stops.at(-1) as StoreAddress;
        const to = newAddress(kind);
        hashes.push(await copyInTwo(from, to));
        stops.push(to);
      }

      expect(new Set(hashes).size).toBe(1);
    },
    TIMEOUT_MS,
  );
});
