import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { BatchError, type Page, type Store } from '../../src/core/store/index.ts';
import type { StorePair, World } from './store-world.ts';

/** Runs the same call on both stores and expects the same answer, or the same error. */
export async function expectSame<Answer>(
  what: string,
  { model, real }: StorePair,
  call: (store: Store) => Promise<Answer>,
): Promise<Answer | null> {
  const expected = await answerOf(call, model);
  const actual = await answerOf(call, real);
  if (!isDeepStrictEqual(plain(actual), plain(expected))) {
    expect(plain(actual), what).toEqual(plain(expected));
    throw new Error(`${what}: the answers differ`);
  }
  return 'answer' in expected ? expected.answer : null;
}

async function answerOf<Answer>(
  call: (store: Store) => Promise<Answer>,
  store: Store,
): Promise<{ answer: Answer } | { error: string }> {
  try {
    return { answer: await call(store) };
  } catch (error) {
    if (error instanceof BatchError) return { error: error.code };
    throw error;
  }
}

/** Bytes of any kind as hex and instants as text, so that only values are compared. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

async function everything<Item>(
  list: (after: string | null) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | null = null; ; ) {
    const page: Page<Item> = await list(after);
    items.push(...page.items);
    if (page.next === null) return items;
    after = page.next;
  }
}

/** Compares all that can be read, and lets the model recount itself. */
export async function expectSameEverything(world: World, pair: StorePair): Promise<void> {
  const { now } = world;
  const same = <Answer>(what: string, call: (store: Store) => Promise<Answer>) =>
    expectSame(`in the end: ${what}`, pair, call);
  const namespaces = (await same('namespaces', (store) => store.namespaces.list())) ?? [];
  await same('counts', (store) => store.queues.counts(null, { now }));
  for (const { name: namespace } of namespaces) {
    await same('heads', (store) => store.queues.heads(namespace, { now }));
    await same('next due', (store) => store.attempts.nextDue(namespace));
    const nodes = await same('nodes', (store) =>
      everything((after) => store.nodes.list(namespace, { after, limit: 7 }, { now })),
    );
    const tasks = await same('tasks', (store) =>
      everything((after) => {
        const query = { sort: 'id', direction: 'asc', after, limit: 50 } as const;
        return store.tasks.list(namespace, query, { now });
      }),
    );
    for (const { id } of tasks ?? []) {
      await same('attempts', (store) => store.attempts.list(namespace, id, { now }));
      await same('position', (store) => store.tasks.position(id, 10, { now }));
    }
    for (const { name } of nodes ?? []) {
      for (const live of [true, false]) {
        await same('attempts of a node', async (store) => {
          const attempts = await everything((after) =>
            store.attempts.listByNode(namespace, { node: name, live, after, limit: 3 }, { now }),
          );
          // Equal ends, and live ones, may come in any order.
          return attempts.map(({ taskId, fence }) => `${taskId} ${fence}`).toSorted();
        });
      }
    }
  }
  expect(pair.model.audit()).toEqual([]);
}
