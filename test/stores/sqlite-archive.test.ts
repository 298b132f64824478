import { describe } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { archiveStoreConformance } from '../conformance/store/archive-store.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

describe('the SQLite store', () => {
  archiveStoreConformance({
    open: () => openSqliteStore({ file: folder.newFile(), clock: systemClock }),
  });
});
