import type { Clock } from '../../src/core/store/index.ts';
import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { answerInOrder } from '../support/databases/answer-in-order.ts';
import { testPostgres } from '../support/databases/postgres.ts';
import { inProcess, openHost } from './engine-host.ts';

const postgres = testPostgres();

engineConformance({
  name: 'the engine in process, on PostgreSQL',
  async open(options) {
    const open = async (clock: Clock) => answerInOrder(await postgres.open({ clock }));
    return inProcess(await openHost(open, options));
  },
});
