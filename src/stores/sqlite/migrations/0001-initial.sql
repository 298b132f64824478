-- Instants are milliseconds since 1970. States, holds and outcomes are the numbers of codes.ts.

create table meta (
  name text primary key,
  value not null
) without rowid;

create table namespaces (
  name text primary key,
  created_at int not null
) without rowid;

-- fate: 0 here, 1 deleted with its tasks kept, 2 deleted with its tasks hidden until they are purged
create table queues (
  row integer primary key,
  id text not null unique,
  namespace text not null,
  name text not null,
  fate int not null default 0,
  revision int not null default 1,
  next_continuous_at int,
  created_at int not null,
  updated_at int not null,
  queued int not null default 0,
  delayed int not null default 0,
  held int not null default 0,
  claimed int not null default 0,
  running int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  cancelled int not null default 0,
  terminated int not null default 0,
  orphaned int not null default 0,
  settings text not null
);
create unique index queues_name_idx on queues (namespace, name) where fate = 0;

-- Every name a task was ever claimed by; id is null unless the node is registered.
create table nodes (
  row integer primary key,
  namespace text not null,
  name text not null,
  id text,
  active int not null default 0,
  wish text not null default 'work',
  max_running int,
  assigned_version int not null default 0,
  assigned_at int,
  created_at int not null default 0,
  heartbeat_at int not null default 0,
  expires_at int not null default 0,
  report text,
  unique (namespace, name)
);

-- The live attempt sits on the task's row, so that a claim is one write.
create table tasks (
  row integer primary key,
  id blob not null,
  queue int not null,
  state int not null,
  priority real not null,
  fence int not null default 0,
  claim_count int not null default 0,
  try_count int not null default 0,
  loss_count int not null default 0,
  round_count int not null default 0,
  node int,
  claim int,
  claimed_at int,
  started_at int,
  expires_at int,
  not_before int,
  hold int,
  external int not null default 0,
  code int,
  last_outcome int,
  cancel_requested_at int,
  created_at int not null,
  updated_at int not null,
  ended_at int,
  rank blob not null,
  key blob,
  unique_key text,
  limit_keys text,
  labels text,
  error text,
  params text not null,
  result text
);
create unique index tasks_id_idx on tasks (id);
create index tasks_claim_idx on tasks (queue, priority desc, rank, id) where state = 0;
create index tasks_delay_idx on tasks (queue, not_before) where state = 1;
create index tasks_held_idx on tasks (queue, hold, priority desc, rank, id) where state = 2;
create index tasks_lease_idx on tasks (expires_at, node) where state in (3, 4);
-- Open and ended are told apart by ended_at and not by state, which every claim changes.
create index tasks_open_idx on tasks (queue, id) where ended_at is null;
create index tasks_ended_idx on tasks (queue, state, id) where ended_at is not null;
create index tasks_retention_idx on tasks (queue, state, ended_at) where ended_at is not null;
create unique index tasks_key_idx on tasks (queue, key) where key is not null;
create index tasks_unique_idx on tasks (queue, unique_key, id) where unique_key is not null;
create index tasks_unique_open_idx on tasks (queue, unique_key, id)
  where unique_key is not null and ended_at is null;
create index tasks_limit_idx on tasks (queue, limit_keys, priority desc, rank, id)
  where state = 0 and limit_keys is not null;

create table attempts (
  task int not null,
  fence int not null,
  node int not null,
  claimed_at int not null,
  started_at int,
  expires_at int,
  ended_at int not null,
  outcome int not null,
  code int,
  late_outcome int,
  late_at int,
  error text,
  data text,
  late_data text,
  primary key (task, fence)
) without rowid;
create index attempts_node_idx on attempts (node, ended_at);

create table outputs (
  task int not null,
  fence int not null,
  number int not null,
  stream int not null,
  offset int not null,
  at int not null,
  bytes blob not null
);
create unique index outputs_number_idx on outputs (task, fence, number);

-- Calls that claimed under a token. Numbers are never used again: tasks keep theirs.
-- tasks: the rows of those it took, in that order, as JSON
create table claims (
  row integer primary key autoincrement,
  node int not null,
  token text not null,
  until int not null,
  tasks text not null,
  unique (node, token)
);
create index claims_until_idx on claims (until);

-- Keyed limits: how many tasks with a key are live, and when such were claimed.
create table limit_lives (
  queue int not null,
  slot int not null,
  key text not null,
  lives int not null,
  primary key (queue, slot, key)
) without rowid;
create table limit_starts (
  queue int not null,
  name text not null,
  key text not null,
  at int not null,
  until int not null
);
create index limit_starts_key_idx on limit_starts (queue, name, key, at);
create index limit_starts_until_idx on limit_starts (until);

create table leases (
  name text primary key,
  holder text,
  term int not null,
  expires_at int not null
) without rowid;

create table tokens (
  name text primary key,
  id text not null,
  role text not null,
  namespaces text,
  created_at int not null,
  expires_at int,
  hash blob not null unique
) without rowid;

create table answers (
  key text primary key,
  fingerprint text not null,
  at int not null,
  answer blob not null
);
create index answers_at_idx on answers (at);
