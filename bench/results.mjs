// Reads results. Rates of different runs are not comparable; ratios are formed within a round.
import { STORES } from './adapter-list.mjs';

export function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const rateOf = ({ perSecond, p50Ms }) => perSecond ?? p50Ms;

export function select(results, adapter, workload) {
  return results.filter((result) => result.adapter === adapter && result.workload === workload);
}

/** One ratio for each round that has both. */
export function ratiosOf(mine, theirs, value = rateOf) {
  return mine.flatMap((one) => {
    const other = theirs.find(({ round }) => round === one.round);
    const ratio = other ? value(one) / value(other) : Number.NaN;
    return Number.isFinite(ratio) ? [ratio] : [];
  });
}

/** How near each of our stores comes to the bare statements. Latency is left out: there the raw loop polls. */
export function ratiosToRaw(results, { adapters, workloads }) {
  return Object.entries(STORES).flatMap(([store, { ours, raw }]) => {
    if (!adapters.includes(ours) || !results.some(({ adapter }) => adapter === raw)) return [];
    return workloads
      .filter((workload) => workload !== 'latency')
      .map((workload) => ({
        store,
        workload,
        ratio: median(ratiosOf(select(results, ours, workload), select(results, raw, workload))),
      }));
  });
}
