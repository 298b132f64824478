import { systemClock } from '../../src/core/clock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { storeConformance } from '../conformance/store/store-conformance.ts';

storeConformance({
  name: 'in-memory SQLite',
  open: () => openSqliteStore({ file: ':memory:', clock: systemClock }),
});
