// The same work for every adapter. An adapter opens a store file and gives:
//   submit(params), submitMany(list), work({concurrency, onTask}), drained(), counts(), stop()
const PAD = 'x'.repeat(64);
const params = (i) => ({ i, pad: PAD });

export const nowMs = () => performance.now();

export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

async function inFlight(count, width, run) {
  let next = 0;
  const lane = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Runs and says how many a second, and the process's CPU for each. */
async function timed(count, run) {
  const cpu = process.cpuUsage();
  const start = nowMs();
  await run();
  const seconds = (nowMs() - start) / 1000;
  const used = process.cpuUsage(cpu);
  return {
    perSecond: Math.round(count / seconds),
    cpuUs: +((used.user + used.system) / count).toFixed(1),
  };
}

async function fill(yard, count, batch = 5000) {
  for (let from = 0; from < count; from += batch) {
    const size = Math.min(batch, count - from);
    await yard.submitMany(Array.from({ length: size }, (_, k) => params(from + k)));
  }
}

async function drain(yard, count, concurrency) {
  let seen = 0;
  let finish;
  const all = new Promise((resolve) => {
    finish = resolve;
  });
  return timed(count, async () => {
    await yard.work({
      concurrency,
      onTask: () => {
        seen += 1;
        if (seen === count) finish();
      },
    });
    await all;
    await yard.drained();
  });
}

async function submit({ open }, file, { count, width }) {
  const yard = await open(file);
  await inFlight(200, width, (i) => yard.submit(params(i)));
  const result = await timed(count, () => inFlight(count, width, (i) => yard.submit(params(i))));
  await yard.stop();
  return result;
}

async function bulk({ open }, file, { count }) {
  const yard = await open(file);
  await fill(yard, 5000);
  const result = await timed(count, () => fill(yard, count));
  await yard.stop();
  return result;
}

async function drainAll({ open }, file, { count, concurrency }) {
  const yard = await open(file);
  await fill(yard, count);
  const result = await drain(yard, count, concurrency);
  await yard.stop();
  return result;
}

async function backlog({ open }, file, { waiting, count, concurrency }) {
  const yard = await open(file);
  await fill(yard, waiting);
  const filledMb = Math.round(process.memoryUsage().rss / 1048576);
  const times = [];
  for (let k = 0; k < 20; k++) {
    const start = nowMs();
    await yard.counts();
    times.push(nowMs() - start);
  }
  let seen = 0;
  let finish;
  const enough = new Promise((resolve) => {
    finish = resolve;
  });
  const result = await timed(count, async () => {
    await yard.work({ concurrency, onTask: () => ++seen === count && finish() });
    await enough;
  });
  await yard.stop();
  return {
    ...result,
    countsMs: +quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    ).toFixed(3),
    filledMb,
  };
}

async function latency({ open }, file, { count }) {
  const yard = await open(file);
  const started = new Map();
  const latenciesMs = [];
  let arrived = () => {};
  await yard.work({
    concurrency: 10,
    onTask: (task) => {
      latenciesMs.push(nowMs() - started.get(task.i));
      arrived();
    },
  });
  for (let i = 0; i < count; i++) {
    const here = new Promise((resolve) => {
      arrived = resolve;
    });
    started.set(i, nowMs());
    await Promise.all([yard.submit(params(i)), here]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await yard.stop();
  return { latenciesMs: latenciesMs.slice(20) };
}

export const WORKLOADS = {
  submit1: { title: 'submit, one caller, tasks/s', run: submit, count: 2000, width: 1 },
  submit50: { title: 'submit, 50 callers, tasks/s', run: submit, count: 30_000, width: 50 },
  bulk: { title: 'bulk submit, tasks/s', run: bulk, count: 200_000 },
  drain10: {
    title: 'drain no-op tasks, concurrency 10, tasks/s',
    run: drainAll,
    count: 60_000,
    concurrency: 10,
  },
  drain100: {
    title: 'drain no-op tasks, concurrency 100, tasks/s',
    run: drainAll,
    count: 60_000,
    concurrency: 100,
  },
  backlog10k: {
    title: 'first 10,000 of 10,000 waiting, tasks/s',
    run: backlog,
    waiting: 10_000,
    count: 10_000,
    concurrency: 100,
  },
  backlog1m: {
    title: 'first 10,000 of 1,000,000 waiting, tasks/s',
    run: backlog,
    waiting: 1_000_000,
    count: 10_000,
    concurrency: 100,
  },
  latency: { title: 'submit to handler start, idle, ms', run: latency, count: 320 },
};
