import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import {
  answerInOrder,
  type OrderedStore,
  turnInStep,
} from '../support/databases/answer-in-order.ts';
import { testPostgres } from '../support/databases/postgres.ts';
import { inProcess, openHost } from './engine-host.ts';

const postgres = testPostgres();

engineConformance({
  name: 'the engine in process, on PostgreSQL',
  async open(options) {
    const fixture = await openHost(
      async (clock) => answerInOrder(await postgres.open({ clock }), clock),
      options,
    );
    const clock = turnInStep(fixture.clock, fixture.store as OrderedStore);
    return inProcess({ ...fixture, clock });
  },
});
