import type { Session } from './session.ts';

/** Makes a namespace if it is missing: queues and nodes bring theirs with them. */
export function ensureNamespace({ db }: Session, name: string, now: number): void {
  db.run(
    'insert into namespaces (name, created_at) values (?, ?) on conflict do nothing',
    name,
    now,
  );
}
