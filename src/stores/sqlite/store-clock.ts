import type { Clock } from '../../core/store/index.ts';
import type { Database } from './database.ts';

/**
 * The store's own clock: it follows this process's monotonic clock from the later of the wall
 * clock and the last instant the file knows. So it never goes back, not even across a restart
 * with the wall clock put back, and nobody's clock change ends a lease early.
 */
export interface StoreClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Saves, with a commit, an instant no earlier than any in it; about one write a second. */
  save(): void;
  /** Reads what is saved again, after a rollback. */
  load(): void;
  /** Saves the present instant, at the end. */
  stop(): void;
}

/** How far ahead the saved instant lies: after a crash time goes on at most this much later. */
const AHEAD_MS = 1000;

const LOAD_SQL = "select value from meta where name = 'clock'";
const SAVE_SQL = `
  insert into meta (name, value) values ('clock', ?)
  on conflict (name) do update set value = excluded.value`;

export function openStoreClock(db: Database, clock: Clock): StoreClock {
  const load = (): number => db.get<{ value: number }>(LOAD_SQL)?.value ?? 0;
  let saved = load();
  const start = Math.max(clock.now().getTime(), saved) - clock.monotonicMs();
  const now = (): number => Math.floor(start + clock.monotonicMs());

  return {
    now,
    save() {
      if (now() <= saved) return;
      saved = now() + AHEAD_MS;
      db.run(SAVE_SQL, saved);
    },
    load() {
      saved = load();
    },
    stop: () => void db.run(SAVE_SQL, now()),
  };
}
