import type { EngineFixture, EngineOptions } from '../conformance/engine/engine-under-test.ts';
import { type MongoKind, mongoDatabase } from '../stores/mongo-database.ts';
import {
  answerInOrder,
  type OrderedStore,
  turnInStep,
} from '../support/databases/answer-in-order.ts';
import { inProcess, openHost } from './engine-host.ts';

/** Engines on a database of their own, empty each time. */
export function mongoEngine(kind: MongoKind) {
  const database = mongoDatabase(kind);
  return async (options?: EngineOptions): Promise<EngineFixture> => {
    const fixture = await openHost(
      async (clock) => answerInOrder(await database.openEmpty(), clock),
      options,
    );
    const clock = turnInStep(fixture.clock, fixture.store as OrderedStore);
    return inProcess({ ...fixture, clock });
  };
}
