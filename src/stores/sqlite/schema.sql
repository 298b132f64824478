-- Made from migrations/ by `npm run generate`.
CREATE TABLE meta (
  name text primary key,
  value not null
) without rowid;
CREATE TABLE namespaces (
  name text primary key,
  created_at int not null
) without rowid;
CREATE TABLE queues (
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
CREATE UNIQUE INDEX queues_name_idx on queues (namespace, name) where fate = 0;
CREATE TABLE nodes (
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
CREATE TABLE tasks (
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
CREATE UNIQUE INDEX tasks_id_idx on tasks (id);
CREATE INDEX tasks_claim_idx on tasks (queue, priority desc, rank, id) where state = 0;
CREATE INDEX tasks_delay_idx on tasks (queue, not_before) where state = 1;
CREATE INDEX tasks_held_idx on tasks (queue, hold, priority desc, rank, id) where state = 2;
CREATE INDEX tasks_lease_idx on tasks (expires_at, node) where state in (3, 4);
CREATE INDEX tasks_open_idx on tasks (queue, id) where ended_at is null;
CREATE INDEX tasks_ended_idx on tasks (queue, state, id) where ended_at is not null;
CREATE INDEX tasks_retention_idx on tasks (queue, state, ended_at) where ended_at is not null;
CREATE UNIQUE INDEX tasks_key_idx on tasks (queue, key) where key is not null;
CREATE INDEX tasks_unique_idx on tasks (queue, unique_key, id) where unique_key is not null;
CREATE INDEX tasks_unique_open_idx on tasks (queue, unique_key, id)
  where unique_key is not null and ended_at is null;
CREATE INDEX tasks_limit_idx on tasks (queue, limit_keys, priority desc, rank, id)
  where state = 0 and limit_keys is not null;
CREATE TABLE attempts (
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
CREATE INDEX attempts_node_idx on attempts (node, ended_at);
CREATE TABLE outputs (
  task int not null,
  fence int not null,
  number int not null,
  stream int not null,
  offset int not null,
  at int not null,
  bytes blob not null
);
CREATE UNIQUE INDEX outputs_number_idx on outputs (task, fence, number);
CREATE TABLE claims (
  row integer primary key autoincrement,
  node int not null,
  token text not null,
  until int not null,
  tasks text not null,
  unique (node, token)
);
CREATE INDEX claims_until_idx on claims (until);
CREATE TABLE limit_lives (
  queue int not null,
  slot int not null,
  key text not null,
  lives int not null,
  primary key (queue, slot, key)
) without rowid;
CREATE TABLE limit_starts (
  queue int not null,
  name text not null,
  key text not null,
  at int not null,
  until int not null
);
CREATE INDEX limit_starts_key_idx on limit_starts (queue, name, key, at);
CREATE INDEX limit_starts_until_idx on limit_starts (until);
CREATE TABLE leases (
  name text primary key,
  holder text,
  term int not null,
  expires_at int not null
) without rowid;
CREATE TABLE tokens (
  name text primary key,
  id text not null,
  role text not null,
  namespaces text,
  created_at int not null,
  expires_at int,
  hash blob not null unique
) without rowid;
CREATE TABLE answers (
  key text primary key,
  fingerprint text not null,
  at int not null,
  answer blob not null
);
CREATE INDEX answers_at_idx on answers (at);
