/** A process that owns a SQLite file until it is killed. */
import { systemClock } from '../../src/core/clock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';

const [, , file = '', serverUrl] = process.argv;
await openSqliteStore({ file, clock: systemClock, serverUrl });
process.stdout.write('ready\n');
await systemClock.sleep(3_600_000);
