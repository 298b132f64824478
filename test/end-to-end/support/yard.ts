import { systemClock } from '../../../src/core/clock.ts';
import { createIdSource } from '../../../src/core/domain/ids.ts';
import { systemRandom } from '../../../src/core/random.ts';
import type { Claim, NewTask, Settlement, Store } from '../../../src/core/store/index.ts';
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
const CHUNK_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;
/** Tasks without an attempt, beside those that have one. */
export const UNTRIED = 4;

export interface Yard {
  /** That have an attempt. */
  readonly tasks: number;
  readonly outputs: number;
  readonly outputBytes: number;
}

/**
 * A queue with keyed limits, and tasks in it with keys, unique keys and labels: some succeeded, failed,
 * are delayed, held or external; the first ones have written output.
 */
export async function seedYard(store: Store, { tasks: count, outputs, outputBytes }: Yard) {
  const ids = createIdSource(systemClock, systemRandom);
  const limits = [{ name: 'tenant', by: 'tenant', max: AT_ONCE, perMs: null }];
  const queue = aNewQueue({ id: ids.next(), name: 'work', order: 'key', leaseMs: DAY_MS, limits });
  await store.queues.insert(queue, NOW);
  await store.tokens.insert(anAccessToken(), Uint8Array.of(1, 2, 0), NOW);
  const submit = (tasks: readonly NewTask[]) =>
    store.tasks.submit({ queueId: queue.id, tasks, onConflict: 'refuse' }, NOW);
  for (let made = 0; made < count; made += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - made);
    await submit(Array.from({ length }, (_, at) => aTriedTask(ids.next(), made + at)));
  }
  const step = aClaim({ queueId: queue.id, limit: Math.min(count, AT_ONCE) });
  for (let done = 0; done < count; ) {
    const claims = await store.attempts.claim(step, NOW);
    for (const claim of claims.slice(0, Math.max(0, outputs - done))) {
      await writeOutput(store, claim, outputBytes);
    }
    const ends = claims.map((claim, at) => aSettlement(claim, endOf(done + at)));
    await store.attempts.settle('default', ends, NOW);
    done += claims.length;
  }
  await submit([
    aNewTask({ id: ids.next(), hold: 'operator' }),
    aNewTask({ id: ids.next(), delayMs: DAY_MS }),
    aNewTask({ id: ids.next(), external: true }),
    aNewTask({ id: ids.next(), unique: { key: 'ü'.repeat(500), scope: 'forever' } }),
  ]);
}

function aTriedTask(id: string, n: number): NewTask {
  const params = {
    n,
    tenant: `t${n % 7}`,
    text: 'ä\u2028\u0000',
    deep: { list: [1.5, null, '$'] },
  };
  const labels = { place: `p${n % 3}`, 'ü.$': '' };
  const key = n % 3 === 0 ? Buffer.from(`key ${n}`) : null;
  const unique = n % 5 === 0 ? ({ key: `unique ${n}`, scope: 'waiting' } as const) : null;
  return aNewTask({ id, params, labels, key, unique, priority: n % 4 });
}

function endOf(index: number): Partial<Settlement> {
  if (index % 10 === 9) return { outcome: 'failed', error: 'no \u0000', code: 3 };
  if (index % 10 === 7) return { outcome: 'released', next: goTo('held', { hold: 'quarantined' }) };
  if (index % 2 === 0) return { data: { index } };
  return { outcome: 'released', next: goTo('queued', { delayMs: DAY_MS }) };
}

async function writeOutput(store: Store, claim: Claim, size: number): Promise<void> {
  const { taskId, fence } = claim;
  for (let number = 1, offset = 0; offset < size; number++, offset += CHUNK_BYTES) {
    const bytes = Buffer.alloc(Math.min(CHUNK_BYTES, size - offset), `${number} ${taskId} \u00ff`);
    const chunks = [{ number, stream: 'stdout', offset, bytes } as const];
    await store.outputs.append({ namespace: 'default', taskId, fence, chunks }, NOW);
  }
}
