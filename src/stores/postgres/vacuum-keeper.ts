import pg from 'pg';
import type { Clock } from '../../core/store/index.ts';
import { type Place, toClientConfig } from './connection-options.ts';
import type { Database } from './database.ts';

/** A duty of the store: whoever opens it starts it, and it stops with it. */
export interface VacuumKeeper {
  close(): Promise<void>;
}

export interface VacuumOptions extends Place {
  readonly database: Database;
  readonly clock: Clock;
}

const LOOK_EVERY_MS = 4000;
const MOST_DEAD = 50_000;

const DEAD_SQL = `
  select n_dead_tup as dead, n_live_tup as live from pg_stat_all_tables
  where relid = 'tasks'::regclass`;

/**
 * Vacuums the table of tasks when it needs it. The server's own looks once a minute: by then a drain
 * leaves millions of dead rows, and every claim walks past them.
 */
export function startVacuumKeeper(options: VacuumOptions): VacuumKeeper {
  const { database, clock } = options;
  let isClosed = false;
  let working: Promise<void> = Promise.resolve();
  let timer: Disposable | null = null;

  function lookLater(): void {
    if (isClosed) return;
    timer = clock.after(LOOK_EVERY_MS, () => {
      working = look().finally(lookLater);
    });
  }

  async function look(): Promise<void> {
    try {
      const [found] = await database.look<{ dead: number; live: number }>(DEAD_SQL);
      const most = Math.max(MOST_DEAD, (found?.live ?? 0) / 20);
      if (!isClosed && (found?.dead ?? 0) > most) await vacuum(options);
    } catch {
      // The next look is soon, and what is wrong shows in every other step.
    }
  }

  lookLater();
  return {
    async close() {
      isClosed = true;
      timer?.[Symbol.dispose]();
      await working;
    },
  };
}

/** One process does it at a time. */
async function vacuum(place: Place): Promise<void> {
  const client = new pg.Client(toClientConfig(place, 'lists', false));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rows } = await client.query(
      "select pg_try_advisory_lock(hashtext('batchyard.vacuum'), hashtext($1)) as is_mine",
      [place.schema],
    );
    if (rows[0]?.is_mine) await client.query('vacuum (truncate off, parallel 0) tasks');
  } finally {
    await client.end();
  }
}
