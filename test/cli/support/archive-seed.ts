import { systemClock } from '../../../src/core/clock.ts';
import { createIdSource } from '../../../src/core/domain/ids.ts';
import { systemRandom } from '../../../src/core/random.ts';
import type { Claim, Settlement, Store } from '../../../src/core/store/index.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import {
  aClaim,
  aNewQueue,
  aNewTask,
  anAccessToken,
  aSettlement,
  goTo,
} from '../../support/builders.ts';

const NOW = { now: null };
const AT_ONCE = 1000;
export const CHUNK_BYTES = 256 * 1024;

export interface Seed {
  readonly tasks: number;
  /** Tasks that wrote output, and chunks of each. */
  readonly outputs?: number;
  readonly chunks?: number;
  /** Leaves the last claim live. */
  readonly isLive?: boolean;
}

/** Fills an SQLite file. Every task has an attempt: half succeeded, a tenth failed, the others wait for tomorrow. */
export async function seedStore(file: string, seed: Seed): Promise<void> {
  await using store = await openSqliteStore({ file, clock: systemClock });
  const ids = createIdSource(systemClock, systemRandom);
  const queue = aNewQueue({ id: ids.next(), name: 'work', leaseMs: 600_000 });
  await store.queues.insert(queue, NOW);
  await store.tokens.insert(anAccessToken(), Uint8Array.of(1, 2, 3), NOW);
  for (let made = 0; made < seed.tasks; made += AT_ONCE) {
    const tasks = Array.from({ length: Math.min(AT_ONCE, seed.tasks - made) }, (_, index) =>
      aNewTask({ id: ids.next(), params: { n: made + index, text: 'ä\u2028\u0000' } }),
    );
    await store.tasks.submit({ queueId: queue.id, tasks, onConflict: 'refuse' }, NOW);
  }
  let outputs = seed.outputs ?? 0;
  const count = seed.isLive ? seed.tasks - 1 : seed.tasks;
  for (let done = 0; done < count; ) {
    const limit = Math.min(count - done, AT_ONCE);
    const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit }), NOW);
    for (const claim of claims) {
      if (outputs === 0) break;
      outputs -= 1;
      await writeOutput(store, claim, seed.chunks ?? 1);
    }
    const settlements = claims.map((claim, index) => aSettlement(claim, endOf(done + index)));
    await store.attempts.settle('default', settlements, NOW);
    done += claims.length;
  }
  if (seed.isLive) await store.attempts.claim(aClaim({ queueId: queue.id }), NOW);
}

function endOf(index: number): Partial<Settlement> {
  if (index % 10 === 9) return { outcome: 'failed', error: 'no', code: 3 };
  if (index % 2 === 0) return { data: { index } };
  return { outcome: 'released', next: goTo('queued', { delayMs: 86_400_000 }) };
}

async function writeOutput(store: Store, claim: Claim, count: number): Promise<void> {
  const { taskId, fence } = claim;
  for (let number = 1; number <= count; number++) {
    const bytes = Buffer.alloc(CHUNK_BYTES, `${number} ${taskId} `);
    const offset = (number - 1) * CHUNK_BYTES;
    const chunks = [{ number, stream: 'stdout', offset, bytes } as const];
    await store.outputs.append({ namespace: 'default', taskId, fence, chunks }, NOW);
  }
}

/** Changes one task that waits. */
export async function editOne(file: string): Promise<void> {
  await using store = await openSqliteStore({ file, clock: systemClock });
  const query = {
    states: ['delayed'],
    sort: 'id',
    direction: 'asc',
    after: null,
    limit: 1,
  } as const;
  const { items } = await store.tasks.list('default', query, NOW);
  const ids = items.map(({ id }) => id);
  await store.tasks.edit({ namespace: 'default', ids, change: { priority: 9 } }, NOW);
}
