// What can be measured. An adapter is a module in adapters/ (or a program of its own) and the server it works on.
// `share` is the part of a drain's tasks that a slow one gets, so that a run ends; the rate is what is compared.

export const ADAPTERS = {
  'batchyard-sqlite': { title: 'Batchyard, SQLite FULL', module: 'batchyard', server: 'sqlite' },
  'batchyard-postgres': { title: 'Batchyard, PostgreSQL', module: 'batchyard', server: 'postgres' },
  'batchyard-mongo': { title: 'Batchyard, MongoDB', module: 'batchyard', server: 'mongodb' },
  'raw-sqlite': { title: 'raw SQLite loop, FULL', server: 'sqlite' },
  'raw-postgres': { title: 'raw PostgreSQL loop', server: 'postgres' },
  'raw-mongo': { title: 'raw MongoDB loop', server: 'mongodb', share: 1 / 3 },
  plainjob: {
    title: 'plainjob, SQLite NORMAL',
    server: 'sqlite',
    package: 'plainjob',
    share: 1 / 3,
  },
  graphile: {
    title: 'graphile-worker',
    server: 'postgres',
    package: 'graphile-worker',
    needsNode: 22,
  },
  'pg-boss': { title: 'pg-boss', server: 'postgres', package: 'pg-boss', needsNode: 22 },
  river: {
    title: 'River',
    server: 'postgres',
    goModule: 'github.com/riverqueue/river',
    share: 1 / 3,
  },
  bullmq: {
    title: 'BullMQ, Redis AOF everysec',
    module: 'bullmq',
    server: 'redis-aof',
    package: 'bullmq',
    share: 1 / 3,
    bulkSize: 1000,
  },
  'bullmq-noaof': {
    title: 'BullMQ, Redis without AOF',
    module: 'bullmq',
    server: 'redis',
    package: 'bullmq',
    share: 1 / 3,
    bulkSize: 1000,
  },
  agenda: {
    title: 'Agenda',
    server: 'mongodb',
    package: 'agenda',
    share: 1 / 50,
    cannot: {
      bulk: 'it has no call for many jobs',
      backlog1m: 'it has no call for many jobs, and one by one a million takes too long',
    },
  },
};

/** What each of our stores is compared with. One measurement may stand in several tables. */
export const STORES = {
  sqlite: {
    title: 'SQLite',
    ours: 'batchyard-sqlite',
    raw: 'raw-sqlite',
    peers: ['plainjob', 'bullmq', 'bullmq-noaof', 'graphile'],
  },
  postgres: {
    title: 'PostgreSQL',
    ours: 'batchyard-postgres',
    raw: 'raw-postgres',
    peers: ['graphile', 'pg-boss', 'river', 'bullmq', 'bullmq-noaof'],
  },
  mongo: {
    title: 'MongoDB',
    ours: 'batchyard-mongo',
    raw: 'raw-mongo',
    peers: ['agenda', 'bullmq', 'bullmq-noaof'],
  },
};

export function adaptersOf(store) {
  const { ours, raw, peers } = STORES[store];
  return [ours, ...peers, raw];
}

export function isPeer(adapter) {
  return Boolean(ADAPTERS[adapter].package || ADAPTERS[adapter].goModule);
}
