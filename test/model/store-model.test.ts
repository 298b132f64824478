import { systemClock } from '../../src/core/clock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { storeModel } from './store-model.ts';

storeModel({
  name: 'in-memory SQLite',
  open: () => openSqliteStore({ file: ':memory:', clock: systemClock }),
});
