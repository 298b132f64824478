// The same work for every adapter. An adapter opens a place and gives:
//   submit(params), submitMany(list), work({concurrency, onTask}), drained(), counts(), stop()
import { elapsedMs, nowMs, timed } from './stopwatch.mjs';

const PAD = 'x'.repeat(64);
const params = (i) => ({ i, pad: PAD });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs up to `count` with `width` at a time, ends early after `capMs`; says how many it ran. */
async function inFlight({ count, width, capMs }, run) {
  const begun = nowMs();
  let next = 0;
  const lane = async () => {
    while (next < count && elapsedMs(begun) < capMs) await run(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return next;
}

async function fill(yard, { count, bulkSize, capMs = Number.POSITIVE_INFINITY }) {
  const begun = nowMs();
  let from = 0;
  while (from < count && elapsedMs(begun) < capMs) {
    const size = Math.min(bulkSize, count - from);
    await yard.submitMany(Array.from({ length: size }, (_, k) => params(from + k)));
    from += size;
  }
  return from;
}

/** Counts distinct tasks and those that came twice; `enough` resolves at `count`. */
function tally(count, waiting = count) {
  const seen = new Uint8Array(waiting);
  let tell;
  const enough = new Promise((resolve) => {
    tell = resolve;
  });
  const result = {
    distinct: 0,
    duplicates: 0,
    enough,
    onTask({ i }) {
      if (seen[i]++ > 0) result.duplicates += 1;
      else if (++result.distinct === count) tell();
    },
  };
  return result;
}

async function submit(yard, { count, width, capMs }) {
  await inFlight({ count: 200, width, capMs }, (i) => yard.submit(params(i)));
  return timed(() => inFlight({ count, width, capMs }, (i) => yard.submit(params(i))));
}

async function bulk(yard, { count, bulkSize, capMs }) {
  await fill(yard, { count: bulkSize, bulkSize });
  return timed(() => fill(yard, { count, bulkSize, capMs }));
}

async function drain(yard, { count, concurrency, bulkSize }) {
  await fill(yard, { count, bulkSize });
  const tasks = tally(count);
  const rate = await timed(async () => {
    await yard.work({ concurrency, onTask: tasks.onTask });
    await tasks.enough;
    await yard.drained();
    return count;
  });
  return { ...rate, duplicates: tasks.duplicates };
}

/** Where counting is slow, a few counts must do. */
const COUNTING_MS = 3000;

async function backlog(yard, { waiting, count, concurrency, bulkSize }) {
  await fill(yard, { count: waiting, bulkSize });
  const filledMb = Math.round(process.memoryUsage().rss / 1048576);
  const times = [];
  const begunCounting = nowMs();
  while (times.length < 3 || (times.length < 20 && elapsedMs(begunCounting) < COUNTING_MS)) {
    const begun = nowMs();
    await yard.counts();
    times.push(elapsedMs(begun));
  }
  const tasks = tally(count, waiting);
  const rate = await timed(async () => {
    await yard.work({ concurrency, onTask: tasks.onTask });
    await tasks.enough;
    return count;
  });
  return { ...rate, filledMb, duplicates: tasks.duplicates, countsMs: quantile(times, 0.5) };
}

const WARM_UP = 20;

async function latency(yard, { count, capMs }) {
  const started = new Map();
  const times = [];
  let arrived = () => {};
  await yard.work({
    concurrency: 10,
    onTask: ({ i }) => {
      times.push(elapsedMs(started.get(i)));
      arrived();
    },
  });
  const begun = nowMs();
  for (let i = 0; i < count && elapsedMs(begun) < capMs; i++) {
    const here = new Promise((resolve) => {
      arrived = resolve;
    });
    started.set(i, nowMs());
    await Promise.all([yard.submit(params(i)), here]);
    await pause(2);
  }
  const kept = times.slice(WARM_UP);
  return { count: kept.length, p50Ms: quantile(kept, 0.5), p99Ms: quantile(kept, 0.99) };
}

function quantile(list, q) {
  const sorted = list.toSorted((a, b) => a - b);
  return +sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))].toFixed(3);
}

const KINDS = { submit, bulk, drain, backlog, latency };

export function runWorkload(yard, workload) {
  return KINDS[workload.kind](yard, workload);
}
