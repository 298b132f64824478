// What is measured, as data: workloads.mjs runs it for modules, river/ for River.
const thousands = (count) => count.toLocaleString('en');

export const WORKLOADS = {
  submit1: { kind: 'submit', count: 2000, width: 1 },
  submit50: { kind: 'submit', count: 30_000, width: 50 },
  bulk: { kind: 'bulk', count: 200_000 },
  drain10: { kind: 'drain', count: 60_000, concurrency: 10 },
  drain100: { kind: 'drain', count: 60_000, concurrency: 100 },
  backlog10k: { kind: 'backlog', waiting: 10_000, count: 10_000, concurrency: 100 },
  backlog1m: { kind: 'backlog', waiting: 1_000_000, count: 10_000, concurrency: 100 },
  latency: { kind: 'latency', count: 320 },
};

/** Submits end after this time too: what was done by then gives the rate. */
const CAP_MS = 8000;
const USUAL_BULK_SIZE = 5000;
const LEAST = 100;

export function sizedWorkload(name, { scale = 1, share = 1, bulkSize = USUAL_BULK_SIZE } = {}) {
  const { kind, count, waiting, ...rest } = WORKLOADS[name];
  const part = kind === 'drain' || kind === 'backlog' ? scale * share : scale;
  return {
    name,
    kind,
    ...rest,
    ...(waiting && { waiting: Math.round(waiting * scale) }),
    count: Math.max(LEAST, Math.round(count * part)),
    bulkSize,
    capMs: CAP_MS,
  };
}

export function titleOf(name, scale) {
  const { kind, width, concurrency, waiting } = sizedWorkload(name, { scale });
  if (kind === 'submit')
    return `submit, ${width === 1 ? 'one caller' : `${width} callers`}, tasks/s`;
  if (kind === 'bulk') return 'bulk submit, tasks/s';
  if (kind === 'drain') return `drain no-op tasks, concurrency ${concurrency}, tasks/s`;
  if (kind === 'backlog') return `drain the first of ${thousands(waiting)} waiting, tasks/s`;
  return 'submit to handler start, idle, ms';
}
