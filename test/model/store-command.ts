import fc from 'fast-check';
import type { Mutation, Store } from '../../src/core/store/index.ts';
import { oneIn } from './chance.ts';
import { expectSame } from './store-comparison.ts';
import type { StorePair, World } from './store-world.ts';

/** One kind of step: how its request is made from chance and from what is there, and how it is asked for. */
export interface CommandKind<Args, Request, Answer> {
  readonly name: string;
  readonly args: fc.Arbitrary<Args>;
  /** Called once: both stores get the same request. */
  request(args: Args, world: World, pair: StorePair): Request | Promise<Request>;
  call(store: Store, request: Request, step: Mutation): Promise<Answer>;
  /** What later commands may refer to. */
  note?(world: World, answer: Answer, request: Request): void;
  /** May be sent under an idempotency key. */
  readonly repeatable?: true;
}

type StoreCommand = fc.AsyncCommand<World, StorePair>;

interface Drawn<Args> {
  readonly args: Args;
  /** Which idempotency key, or null for none. */
  readonly key: number | null;
}

export function commandOf<Args, Request, Answer>(
  kind: CommandKind<Args, Request, Answer>,
): fc.Arbitrary<StoreCommand> {
  const keys = kind.repeatable ? oneIn(9, fc.nat({ max: 2 })) : fc.constant(null);
  return fc.record({ args: kind.args, key: keys }).map((drawn) => createCommand(kind, drawn));
}

function createCommand<Args, Request, Answer>(
  kind: CommandKind<Args, Request, Answer>,
  { args, key }: Drawn<Args>,
): StoreCommand {
  const under = key === null ? '' : ` under key ${key}`;
  return {
    check: () => true,
    toString: () => `${kind.name} ${fc.stringify(args)}${under}`,
    async run(world, pair) {
      const request = await kind.request(args, world, pair);
      const once = key === null ? null : { key: `${kind.name} ${key}`, fingerprint: 'same' };
      const step = { now: world.now, ...(once && { once }) };
      const answer = await expectSame(kind.name, pair, (store) => kind.call(store, request, step));
      if (answer !== null) kind.note?.(world, answer, request);
    },
  };
}
