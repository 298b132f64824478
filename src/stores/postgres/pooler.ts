import type pg from 'pg';

/**
 * Whether a pooler (PgBouncer) stands between us and the server: it tells us of a process that is
 * not the one that answers. Then each transaction may meet another connection, so that nothing can
 * be left behind on one: no prepared statements, no settings, nobody to listen for wake-ups.
 */
export async function isBehindPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const { processID } = client as pg.Client & { readonly processID: number | null };
  return processID !== rows[0]?.pid;
}
