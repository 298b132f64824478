// Not a peer: the bare statements through our binding at FULL. No attempts, fences, limits, counts or retries: the ceiling.
import { DatabaseSync } from '@photostructure/sqlite';
import { coalesceSubmits } from '../coalesced-submits.mjs';

const BATCH = 500;

export async function open({ file }) {
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536');
  db.exec(`create table jobs (id integer primary key, state int not null default 0, params text not null);
    create index ready on jobs (id) where state = 0`);
  const insert = db.prepare('insert into jobs (params) values (?)');
  const claim = db.prepare(`update jobs set state = 1
    where id in (select id from jobs where state = 0 order by id limit ?) returning id, params`);
  const done = db.prepare('update jobs set state = 2 where id in (select value from json_each(?))');
  const transaction = (run) => {
    db.exec('begin immediate');
    const result = run();
    db.exec('commit');
    return result;
  };
  const insertAll = async (list) =>
    transaction(() => {
      for (const params of list) insert.run(JSON.stringify(params));
    });
  let stopping = false;
  let isEmpty = false;
  let loop = Promise.resolve();
  return {
    submit: coalesceSubmits(insertAll),
    submitMany: insertAll,
    counts: async () => db.prepare('select state, count(*) from jobs group by 1').all(),
    async work({ onTask }) {
      loop = (async () => {
        let ids = [];
        while (!stopping) {
          const rows = transaction(() => {
            if (ids.length > 0) done.run(JSON.stringify(ids));
            return claim.all(BATCH);
          });
          ids = rows.map(({ id }) => id);
          for (const row of rows) onTask(JSON.parse(row.params));
          isEmpty = rows.length === 0;
          await new Promise(isEmpty ? (resolve) => setTimeout(resolve, 1) : setImmediate);
        }
        if (ids.length > 0) done.run(JSON.stringify(ids));
      })();
    },
    async drained() {
      while (!isEmpty) await new Promise(setImmediate);
    },
    async stop() {
      stopping = true;
      await loop;
    },
  };
}
