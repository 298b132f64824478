// What we promise of our speed: ratios within one run on a quiet machine. A check answers null when the run cannot tell.
import { STORES } from './adapter-list.mjs';
import { median, ratiosOf, select } from './results.mjs';

const [SQLITE, POSTGRES, MONGO] = Object.values(STORES).map(({ ours }) => ours);

/** Our rate is at least `least` times the other's. */
function faster(number, { ours, other, workload, least, text }) {
  return {
    number,
    text: `${text} ≥ ${least} ×`,
    check: (results) => {
      const ratios = ratiosOf(select(results, ours, workload), select(results, other, workload));
      return ratios.length > 0 ? atLeast(least, ratios) : null;
    },
  };
}

function atLeast(least, ratios) {
  return { isMet: median(ratios) >= least, measured: spread(ratios) };
}

function spread(ratios) {
  const middle = `${median(ratios).toFixed(2)} ×`;
  if (ratios.length === 1) return `${middle} (one round)`;
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
  return `${middle} (${low}–${high}, ${ratios.length} rounds)`;
}

function drains(number, ours, other, least, text) {
  return ['drain10', 'drain100'].map((workload) => {
    const wide = `${text}, concurrency ${workload.slice(5)}`;
    return faster(number, { ours, other, workload, least, text: wide });
  });
}

const submits = (number, ours, other, least, text) =>
  faster(number, { ours, other, workload: 'submit50', least, text });

/** The best PostgreSQL peer of each round. Told only when all of them ran. */
const POSTGRES_PEERS = ['graphile', 'pg-boss', 'river'];
const bulkOnPostgres = {
  number: 3,
  text: 'PostgreSQL bulk submit ÷ the best PostgreSQL peer ≥ 2 ×',
  check(results) {
    const peers = POSTGRES_PEERS.map((peer) => select(results, peer, 'bulk'));
    if (peers.some((list) => list.length === 0)) return null;
    const best = peers.flat().toSorted((a, b) => b.perSecond - a.perSecond);
    const ratios = ratiosOf(select(results, POSTGRES, 'bulk'), best);
    return ratios.length > 0 ? atLeast(2, ratios) : null;
  },
};

const noneTwice = {
  number: 6,
  text: 'MongoDB drain: no task runs twice',
  check(results) {
    const list = ['drain10', 'drain100'].flatMap((workload) => select(results, MONGO, workload));
    if (list.length === 0) return null;
    const twice = list.reduce((sum, { duplicates }) => sum + duplicates, 0);
    return { isMet: twice === 0, measured: `${twice} in ${list.length} drains` };
  },
};

const backlogsOf = (results, ours) => [
  select(results, ours, 'backlog1m'),
  select(results, ours, 'backlog10k'),
];

function backlogCost({ title, ours }) {
  const where = ours === SQLITE ? 'CPU' : 'server CPU';
  const value = ({ cpuUs, serverCpuUs }) => (ours === SQLITE ? cpuUs : serverCpuUs);
  return {
    number: 7,
    isAtFullSizeOnly: true,
    text: `${title}: ${where} per task at 1,000,000 waiting ≤ 1.15 × that at 10,000`,
    check(results) {
      const ratios = ratiosOf(...backlogsOf(results, ours), value);
      if (ratios.length === 0) return null;
      return { isMet: median(ratios) <= 1.15, measured: spread(ratios) };
    },
  };
}

function backlogRate({ title, ours }) {
  return {
    number: 7,
    isAtFullSizeOnly: true,
    text: `${title}: rate at 1,000,000 waiting ≥ 0.9 × that at 10,000, never below 0.5 × (of ten rounds)`,
    check(results) {
      const ratios = ratiosOf(...backlogsOf(results, ours));
      if (ratios.length === 0) return null;
      const isMet = median(ratios) >= 0.9 && Math.min(...ratios) >= 0.5;
      return { isMet, measured: spread(ratios) };
    },
  };
}

/** `value` of our median is at most what `most` answers; null: the run does not tell. */
function within(number, { text, ours, workload, value, most, isAtFullSizeOnly = false }) {
  return {
    number,
    isAtFullSizeOnly,
    text,
    check(results) {
      const found = median(select(results, ours, workload).map(value));
      const limit = most(results);
      if (!Number.isFinite(found) || !Number.isFinite(limit)) return null;
      return {
        isMet: found <= limit,
        measured: `${found.toFixed(2)} against ${limit.toFixed(2)}`,
      };
    },
  };
}

const countsOf = ({ title, ours }) =>
  within(8, {
    text: `${title}: counts at 1,000,000 waiting ≤ 2 ms`,
    ours,
    workload: 'backlog1m',
    isAtFullSizeOnly: true,
    value: ({ countsMs }) => countsMs,
    most: () => 2,
  });

const p50 = ({ p50Ms }) => p50Ms;

const LATENCIES = [
  within(9, {
    text: 'SQLite, submit to handler start, p50 ≤ 1.5 ms',
    ours: SQLITE,
    workload: 'latency',
    value: p50,
    most: () => 1.5,
  }),
  within(9, {
    text: "PostgreSQL, submit to handler start, p50 ≤ River's",
    ours: POSTGRES,
    workload: 'latency',
    value: p50,
    most: (results) => median(select(results, 'river', 'latency').map(p50)),
  }),
  within(9, {
    text: 'PostgreSQL, submit to handler start, p99 ≤ 3 × p50',
    ours: POSTGRES,
    workload: 'latency',
    value: ({ p99Ms }) => p99Ms,
    most: (results) => 3 * median(select(results, POSTGRES, 'latency').map(p50)),
  }),
];

const TARGETS = [
  ...drains(1, POSTGRES, 'graphile', 1.5, 'PostgreSQL drain ÷ graphile-worker'),
  ...drains(1, POSTGRES, 'pg-boss', 2, 'PostgreSQL drain ÷ pg-boss'),
  submits(2, POSTGRES, 'graphile', 20, 'PostgreSQL submit, 50 callers ÷ graphile-worker'),
  submits(2, POSTGRES, 'pg-boss', 20, 'PostgreSQL submit, 50 callers ÷ pg-boss'),
  submits(2, POSTGRES, 'river', 10, 'PostgreSQL submit, 50 callers ÷ River'),
  submits(2, POSTGRES, 'bullmq-noaof', 2, 'PostgreSQL submit, 50 callers ÷ BullMQ without AOF'),
  bulkOnPostgres,
  ...drains(4, SQLITE, 'plainjob', 5, 'SQLite drain ÷ plainjob'),
  ...drains(4, SQLITE, 'bullmq', 10, 'SQLite drain ÷ BullMQ with AOF'),
  ...drains(4, SQLITE, 'graphile', 1.5, 'SQLite drain ÷ graphile-worker'),
  submits(5, SQLITE, 'plainjob', 2, 'SQLite submit, 50 callers ÷ plainjob'),
  faster(5, {
    ours: SQLITE,
    other: 'plainjob',
    workload: 'bulk',
    least: 2,
    text: 'SQLite bulk submit ÷ plainjob',
  }),
  ...drains(6, MONGO, 'agenda', 20, 'MongoDB drain ÷ Agenda'),
  noneTwice,
  ...Object.values(STORES).flatMap((store) => [backlogCost(store), backlogRate(store)]),
  ...Object.values(STORES).map(countsOf),
  ...LATENCIES,
];

/** Each target with what was measured: met, not met, or not measured by this run. */
export function judgeTargets(results, { scale }) {
  const sizes = scale < 1 ? ', at small sizes' : '';
  return TARGETS.map(({ number, text, check, isAtFullSizeOnly }) => {
    const found = isAtFullSizeOnly && scale < 1 ? null : check(results);
    if (found === null) return { number, text, measured: '', verdict: 'not measured by this run' };
    const verdict = `${found.isMet ? 'met' : '**not met**'}${sizes}`;
    return { number, text, measured: found.measured, verdict };
  });
}
