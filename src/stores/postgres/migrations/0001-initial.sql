-- Instants are milliseconds since 1970. States, holds and outcomes are the numbers of codes.ts.

create table namespaces (
  name text collate "C" primary key,
  created_at int8 not null
);

-- fate: 0 here, 1 deleted with its tasks kept, 2 deleted with its tasks hidden until they are purged
create table queues (
  row int4 generated always as identity primary key,
  fate int2 not null default 0,
  revision int4 not null default 1,
  -- The node "" of the namespace, which holds external tasks.
  external_node int4 not null,
  next_continuous_at int8,
  created_at int8 not null,
  updated_at int8 not null,
  id text collate "C" not null unique,
  namespace text collate "C" not null,
  name text collate "C" not null,
  settings text not null
);
create unique index queues_name_idx on queues (namespace, name) where fate = 0;

-- Every name a task was ever claimed by; id is null unless the node is registered.
create table nodes (
  row int4 generated always as identity primary key,
  active bool not null default false,
  max_running int4,
  assigned_version int4 not null default 0,
  assigned_at int8,
  created_at int8 not null default 0,
  heartbeat_at int8 not null default 0,
  expires_at int8 not null default 0,
  namespace text collate "C" not null,
  name text collate "C" not null,
  id text,
  wish text not null default 'work',
  report text,
  unique (namespace, name)
) with (fillfactor = 50);

-- The live attempt sits on the task's row, so that a claim is one write. A claim and a settle are
-- never HOT (the state is in the indexes' conditions), a renewal of a lease may be.
create table tasks (
  priority float8 not null,
  not_before int8,
  claimed_at int8,
  started_at int8,
  expires_at int8,
  cancel_requested_at int8,
  created_at int8 not null,
  updated_at int8 not null,
  ended_at int8,
  claim int8,
  queue int4 not null,
  fence int4 not null default 0,
  claim_count int4 not null default 0,
  try_count int4 not null default 0,
  loss_count int4 not null default 0,
  round_count int4 not null default 0,
  node int4,
  code int8,
  state int2 not null,
  hold int2,
  last_outcome int2,
  external bool not null default false,
  id bytea not null primary key,
  rank bytea not null,
  key bytea,
  unique_key text collate "C",
  limit_keys text collate "C",
  labels text,
  error text,
  params text not null,
  result text
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index tasks_claim_idx on tasks (queue, priority desc, rank, id) where state = 0;
create index tasks_delay_idx on tasks (not_before) where state = 1;
create index tasks_held_idx on tasks (queue, hold, priority desc, rank, id) where state = 2;
create index tasks_live_idx on tasks (node, queue) where state in (3, 4);
create index tasks_lease_idx on tasks (expires_at) where state in (3, 4);
create index tasks_open_idx on tasks (queue, id) where ended_at is null;
create index tasks_ended_idx on tasks (queue, state, id) where ended_at is not null;
create index tasks_retention_idx on tasks (queue, state, ended_at) where ended_at is not null;
-- A key may be longer than an index entry: its beginning gives the order, its digest the identity.
create unique index tasks_key_idx on tasks (queue, substring(key, 1, 1000), sha256(key))
  where key is not null;
create index tasks_unique_idx on tasks (queue, unique_key, id) where unique_key is not null;
create index tasks_unique_open_idx on tasks (queue, unique_key, id)
  where unique_key is not null and ended_at is null;
create index tasks_limit_idx on tasks (queue, limit_keys, priority desc, rank, id)
  where state = 0 and limit_keys is not null;
create index tasks_limit_live_idx on tasks (queue, limit_keys)
  where state in (3, 4) and limit_keys is not null;

create table attempts (
  claimed_at int8 not null,
  started_at int8,
  expires_at int8,
  ended_at int8 not null,
  late_at int8,
  code int8,
  fence int4 not null,
  node int4 not null,
  outcome int2 not null,
  late_outcome int2,
  task bytea not null,
  error text,
  data text,
  late_data text,
  primary key (task, fence)
);
create index attempts_node_idx on attempts (node, ended_at);

create table outputs (
  "offset" int8 not null,
  at int8 not null,
  fence int4 not null,
  number int4 not null,
  stream int2 not null,
  task bytea not null,
  bytes bytea not null,
  primary key (task, fence, number)
);

-- One row per queue and shard, a column per state; a connection writes the shard of its process.
create table task_counts (
  s0 int8 not null default 0,
  s1 int8 not null default 0,
  s2 int8 not null default 0,
  s3 int8 not null default 0,
  s4 int8 not null default 0,
  s5 int8 not null default 0,
  s6 int8 not null default 0,
  s7 int8 not null default 0,
  s8 int8 not null default 0,
  s9 int8 not null default 0,
  queue int4 not null,
  shard int2 not null,
  primary key (queue, shard)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0);

-- Calls that claimed under a token. tasks: the ids of those it took, in that order.
create sequence claim_numbers;
create table claims (
  number int8 not null,
  until int8 not null,
  node int4 not null,
  token text collate "C" not null,
  tasks bytea[] not null,
  primary key (node, token)
);
-- Random bytes are not made smaller by compression.
alter table claims alter column tasks set storage external;
create index claims_until_idx on claims (until);

-- Claims that count towards a rate.
create table limit_starts (
  at int8 not null,
  until int8 not null,
  queue int4 not null,
  name text collate "C" not null,
  key text collate "C" not null
);
create index limit_starts_key_idx on limit_starts (queue, name, key, at);
create index limit_starts_until_idx on limit_starts (until);

create table leases (
  term int8 not null,
  expires_at int8 not null,
  name text collate "C" primary key,
  holder text
);

create table tokens (
  created_at int8 not null,
  expires_at int8,
  name text collate "C" primary key,
  id text not null,
  role text not null,
  namespaces text,
  hash bytea not null unique
);

create table answers (
  at int8 not null,
  key text collate "C" primary key,
  fingerprint text not null,
  answer bytea not null
);
create index answers_at_idx on answers (at);

create function now_ms() returns int8 language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::int8
$$;

-- A caller's own transaction may last: its counters are none that other steps wait for.
create function own_shard() returns int2 language sql stable as $$
  select (case when current_setting('batchyard.tx', true) = 'on' then 100 + pg_backend_pid() % 100
    else pg_backend_pid() % 16 end)::int2
$$;

-- Undoes the statement that asks when that is not so.
create function must_hold(is_so bool) returns bool language plpgsql as $$
begin
  if not is_so then
    raise exception 'It does not hold.' using errcode = 'BY001';
  end if;
  return true;
end $$;

-- Few numbers stand for many keys, for locks are counted.
create function lock_keys(queue_rows int4[], keys text[]) returns void language plpgsql as $$
declare
  one int4;
begin
  for one in
    select distinct (e.queue % 16777216) * 64 + (hashtext(e.key) & 63)
    from unnest(queue_rows, keys) e(queue, key) order by 1 loop
    perform pg_advisory_xact_lock(hashtext('batchyard.keys'), one);
  end loop;
end $$;

-- Wakes those who wait for work in a queue, once the transaction commits (wakeups.ts).
create function tell(namespace text, queue_id text) returns void language sql as $$
  select pg_notify(
    substr('batchyard.' || current_schema(), 1, 63),
    json_build_array('', json_build_array('ready', namespace, queue_id))::text)
$$;

-- The definition of a queue does not change while such a lock is held; in order, so that two
-- calls never wait for each other.
create function lock_definitions(queue_rows int4[]) returns void language plpgsql as $$
declare
  one int4;
begin
  if cardinality(queue_rows) = 1 then
    perform pg_advisory_xact_lock_shared(hashtext('batchyard.queue'), queue_rows[1]);
    return;
  end if;
  for one in select distinct unnest(queue_rows) order by 1 loop
    perform pg_advisory_xact_lock_shared(hashtext('batchyard.queue'), one);
  end loop;
end $$;

-- Whether one of these queues was changed or deleted since those revisions were read. Not in plain
-- SQL: such a function is planned anew with each call, which takes 0.15 ms.
create function are_stale(queue_rows int4[], revisions int4[]) returns bool language plpgsql as $$
begin
  return exists (
    select 1 from unnest(queue_rows, revisions) e(row, revision)
    where not exists (
      select 1 from queues q where q.row = e.row and q.revision = e.revision and q.fate = 0));
end $$;

-- Claims from queues without limits, for a node without one: one write per task. A function, for each
-- of its statements looks anew, after the locks.
-- status: 0 a claim, 1 something is due first, 2 the token was seen before, 3 the node has a limit,
-- 4 a queue has changed
create function claim_plain(
  at_time int8, for_node int4, call_token text, is_rolled bool, to_state int2, most int4,
  queue_rows int4[], revisions int4[], counts int4[], lease_ms int8[])
returns table (
  status int2, claimed_at int8, queue int4, id bytea, fence int4, claim_count int4, try_count int4,
  round_count int4, priority float8, key bytea, labels text, params text)
language plpgsql as $$
#variable_conflict use_column
declare
  at_now int8 := coalesce(at_time, now_ms());
  shard_now int2 := own_shard();
  rest int4 := most;
  taken int4;
  call_number int8;
  node_wish text;
  node_limit int4;
begin
  if not is_rolled and (
    exists (select 1 from tasks t where t.state in (3, 4) and t.expires_at <= at_now) or
    exists (select 1 from tasks t where t.state = 1 and t.not_before <= at_now)) then
    status := 1;
    return next;
    return;
  end if;
  if call_token is not null then
    perform pg_advisory_xact_lock(
      hashtextextended('batchyard.token ' || for_node || ' ' || call_token, 7));
    if exists (
      select 1 from claims c
      where c.node = for_node and c.token = call_token and c.until > at_now) then
      status := 2;
      return next;
      return;
    end if;
    call_number := nextval('claim_numbers');
  end if;
  perform lock_definitions(queue_rows);
  perform pg_advisory_xact_lock_shared(hashtext('batchyard.node'), for_node);
  select n.wish, n.max_running into node_wish, node_limit from nodes n where n.row = for_node;
  if node_limit is not null then
    status := 3;
    return next;
    return;
  end if;
  if are_stale(queue_rows, revisions) then
    status := 4;
    return next;
    return;
  end if;
  if node_wish <> 'work' then
    return;
  end if;
  for place in 1 .. cardinality(queue_rows) loop
    exit when rest <= 0;
    return query
    with due as materialized (
      select t.ctid as place from tasks t
      where t.queue = queue_rows[place] and t.state = 0
      order by t.priority desc, t.rank, t.id limit least(counts[place], rest)
      for update skip locked),
    got as (
      update tasks t set state = to_state, fence = t.fence + 1, claim_count = t.claim_count + 1,
        node = for_node, claim = call_number, claimed_at = at_now,
        started_at = case when to_state = 4 then at_now end,
        expires_at = at_now + lease_ms[place], updated_at = at_now
      where t.ctid = any (array(select due.place from due))
      returning t.id, t.fence, t.claim_count, t.try_count, t.round_count, t.priority, t.rank, t.key,
        t.labels, t.params),
    counted as (
      insert into task_counts as c (queue, shard, s0, s3, s4)
      select queue_rows[place], shard_now, -count(*), count(*) filter (where to_state = 3),
        count(*) filter (where to_state = 4)
      from got having count(*) > 0
      on conflict (queue, shard) do update set s0 = c.s0 + excluded.s0, s3 = c.s3 + excluded.s3,
        s4 = c.s4 + excluded.s4),
    remembered as (
      insert into claims as c (node, token, number, until, tasks)
      select for_node, call_token, call_number, at_now + lease_ms[place],
        array_agg(got.id order by got.priority desc, got.rank, got.id)
      from got where call_token is not null having count(*) > 0
      on conflict (node, token) do update set number = excluded.number,
        until = case when c.number = excluded.number then greatest(c.until, excluded.until)
          else excluded.until end,
        tasks = case when c.number = excluded.number then c.tasks || excluded.tasks
          else excluded.tasks end)
    select 0::int2, at_now, queue_rows[place], got.id, got.fence, got.claim_count, got.try_count,
      got.round_count, got.priority, got.key, got.labels, got.params
    from got order by got.priority desc, got.rank, got.id;
    get diagnostics taken = row_count;
    rest := rest - taken;
  end loop;
end $$;

-- Adds tasks that can meet no other. False: a queue has changed, and nothing was added.
create function submit_plain(
  at_time int8, queue_rows int4[], revisions int4[], ids bytea[], queues int4[],
  priorities float8[], not_befores int8[], delays int8[], holds int2[], gates int2[],
  ranks bytea[], limit_keys text[], labels text[], params text[])
returns bool language plpgsql as $$
#variable_conflict use_column
declare
  at_now int8 := coalesce(at_time, now_ms());
begin
  perform lock_definitions(queue_rows);
  if are_stale(queue_rows, revisions) then
    return false;
  end if;
  with added as (
    insert into tasks (id, queue, state, hold, priority, not_before, rank, limit_keys, labels,
      params, created_at, updated_at)
    select e.id, e.queue,
      case
        when e.hold is not null then 2
        when coalesce(at_now + e.delay, e.not_before) > at_now then 1
        when e.gate is not null then 2
        else 0
      end,
      case
        when e.hold is not null then e.hold
        when coalesce(at_now + e.delay, e.not_before) > at_now then null
        else e.gate
      end,
      coalesce(e.priority, 0), coalesce(at_now + e.delay, e.not_before), coalesce(e.rank, e.id),
      e.limit_keys, e.labels, e.params, at_now, at_now
    from unnest(ids, queues, priorities, not_befores, delays, holds, gates, ranks, limit_keys,
        labels, params)
      e(id, queue, priority, not_before, delay, hold, gate, rank, limit_keys, labels, params)
    returning queue, state)
  insert into task_counts as c (queue, shard, s0, s1, s2)
  select queue, own_shard(), count(*) filter (where state = 0), count(*) filter (where state = 1),
    count(*) filter (where state = 2)
  from added group by queue order by queue
  on conflict (queue, shard) do update set s0 = c.s0 + excluded.s0, s1 = c.s1 + excluded.s1,
    s2 = c.s2 + excluded.s2;
  return true;
end $$;

-- Adds one task from plain SQL, in the transaction of the caller; gives its id. With a key that is
-- there already: the id of that task, which stays as it is.
create function submit(
  namespace text, queue text, params json default 'null', key text default null,
  priority float8 default 0, delay interval default null, labels json default null)
returns text language plpgsql set search_path from current as $$
#variable_conflict use_variable
declare
  home queues%rowtype;
  settings json;
  at_now int8 := now_ms();
  ready_at int8 := at_now + floor(extract(epoch from delay) * 1000)::int8;
  new_id bytea := decode(
    lpad(to_hex(at_now / 1000), 8, '0') || lpad(to_hex(at_now % 1000), 4, '0') ||
    substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), 'hex');
  key_bytes bytea := convert_to(key, 'UTF8');
  new_rank bytea := new_id;
  new_state int2;
  found_id bytea;
begin
  perform set_config('batchyard.tx', 'on', true);
  select q.* into home from queues q where q.namespace = namespace and q.name = queue and q.fate = 0;
  if not found then
    raise exception 'No queue "%" in namespace "%".', queue, namespace using errcode = '22023';
  end if;
  if key is not null then
    perform lock_keys(array[home.row], array[encode(key_bytes, 'hex')]);
  end if;
  perform lock_definitions(array[home.row]);
  select q.* into home from queues q where q.row = home.row and q.fate = 0;
  if not found then
    raise exception 'No queue "%" in namespace "%".', queue, namespace using errcode = '22023';
  end if;
  settings := home.settings::json;
  if json_array_length(settings -> 'limits') > 0 then
    raise exception 'Queue "%" has limits by key. Submit through the engine.', queue
      using errcode = '0A000';
  end if;
  select t.id into found_id from tasks t
  where t.queue = home.row and t.key is not null
    and substring(t.key, 1, 1000) = substring(key_bytes, 1, 1000)
    and sha256(t.key) = sha256(key_bytes);
  if found then
    return encode(found_id, 'hex');
  end if;
  if settings ->> 'order' = 'key' and key is not null then
    new_rank := substring(key_bytes, 1, 2000);
  elsif settings ->> 'order' = 'lifo' then
    for at in 0 .. 11 loop
      new_rank := set_byte(new_rank, at, 255 - get_byte(new_id, at));
    end loop;
  end if;
  new_state := case when ready_at > at_now then 1
    when settings ->> 'admission' = 'gated' then 2 else 0 end;
  insert into tasks (id, queue, state, hold, priority, not_before, rank, key, labels, params,
    created_at, updated_at)
  values (new_id, home.row, new_state, case when new_state = 2 then 2 end, priority, ready_at,
    new_rank, key_bytes, labels::text, params::text, at_now, at_now);
  insert into task_counts as c (queue, shard, s0, s1, s2)
  values (home.row, own_shard(), (new_state = 0)::int4, (new_state = 1)::int4, (new_state = 2)::int4)
  on conflict on constraint task_counts_pkey do update set s0 = c.s0 + excluded.s0,
    s1 = c.s1 + excluded.s1, s2 = c.s2 + excluded.s2;
  perform tell(namespace, home.id);
  perform set_config('batchyard.tx', 'off', true);
  return encode(new_id, 'hex');
end $$;
