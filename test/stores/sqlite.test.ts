import { systemClock } from '../../src/core/clock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { storeConformance } from '../conformance/store/store-conformance.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

storeConformance({
  name: 'SQLite',
  open: () => openSqliteStore({ file: folder.newFile(), clock: systemClock }),
});
