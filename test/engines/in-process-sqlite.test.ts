import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { inProcess, openHost } from './engine-host.ts';

engineConformance({
  name: 'the engine in process, on SQLite in memory',
  open: async (options) =>
    inProcess(await openHost((clock) => openSqliteStore({ file: ':memory:', clock }), options)),
});
