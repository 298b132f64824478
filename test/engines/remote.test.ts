import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { openHost } from './engine-host.ts';
import { remote } from './remote-engine.ts';

engineConformance({
  name: '[CO-53, CO-57, CO-64] the engine through client, HTTP and server, on SQLite in memory',
  open: async (options) =>
    remote(await openHost((clock) => openSqliteStore({ file: ':memory:', clock }), options)),
});
