import type { Clock, Random } from '../core/index.ts';
import { openStore } from './open-store.ts';
import type { StoreAddress } from './store-address.ts';

export interface Migration {
  /** The version of the schema that is there; 0: none. null: this kind of store has no versions. */
  readonly from: number | null;
  readonly to: number | null;
  /** What is to be done, or was, in order. */
  readonly steps: readonly string[];
}

/** Brings a store up to date, or with `isPlan` only says how. Throws STORE_UNAVAILABLE. */
export async function migrateStore(
  address: StoreAddress,
  context: { readonly clock: Clock; readonly random: Random; readonly isPlan: boolean },
): Promise<Migration> {
  switch (address.kind) {
    case 'postgres': {
      const { migratePostgres, planPostgres } = await import('../stores/postgres/store.ts');
      const plan = await planPostgres(address.url);
      if (!context.isPlan && plan.sql.length > 0) await migratePostgres(address.url);
      return { from: plan.from, to: plan.to, steps: plan.sql };
    }
    case 'mongodb': {
      const { planMongo } = await import('../stores/mongo/store.ts');
      const indexes = await planMongo(address.url);
      if (!context.isPlan && indexes.length > 0) await (await openStore(address, context)).close();
      return { from: null, to: null, steps: indexes.map((name) => `create index ${name}`) };
    }
    default: {
      // It brings itself up to date, keeping a copy, whenever it is opened.
      if (!context.isPlan) await (await openStore(address, context)).close();
      return { from: null, to: null, steps: [] };
    }
  }
}
