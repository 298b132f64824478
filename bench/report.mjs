// Ratios of medians within one run. Times and rates of different runs are not comparable.
import { WORKLOADS } from './workloads.mjs';

const median = (list) => {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
};

export function printReport(results, { version, node, cores, model }) {
  const rounds = Math.max(...results.map(({ round }) => round));
  const loads = results.map(({ load }) => load);
  console.log(
    `# Batchyard ${version} · Node ${node} · ${cores} × ${model.trim()} · ${rounds} rounds · load ${Math.min(...loads)}–${Math.max(...loads)}\n`,
  );
  console.log('| workload | adapter | median | per round | CPU µs/task | memory MB | ours ÷ it |');
  console.log('|---|---|---:|---|---:|---:|---:|');
  for (const [name, { title }] of Object.entries(WORKLOADS)) {
    const rows = byAdapter(results.filter(({ workload }) => workload === name));
    const value = (result) => result.perSecond ?? result.p50Ms;
    const ours = rows.get('batchyard-sqlite');
    for (const [adapter, list] of rows) {
      const ratio = ours && adapter !== 'batchyard-sqlite' ? ratioOf(ours, list, value) : '';
      const each = list
        .map((r) =>
          r.perSecond ? r.perSecond : `${r.p50Ms.toFixed(2)} (p99 ${r.p99Ms.toFixed(2)})`,
        )
        .join(', ');
      const extra =
        list[0].countsMs === undefined
          ? ''
          : ` · counts ${median(list.map((r) => r.countsMs))} ms · filled ${median(list.map((r) => r.filledMb))} MB`;
      const shown = list[0].perSecond
        ? median(list.map(value))
        : `${median(list.map(value)).toFixed(2)} ms`;
      console.log(
        `| ${title} | ${adapter} | ${shown} | ${each}${extra} | ${median(list.map((r) => r.cpuUs ?? 0))} | ${median(list.map((r) => r.rssMb))} | ${ratio} |`,
      );
    }
  }
}

/** Median of the ratios of each round; for latencies smaller is better. */
function ratioOf(ours, theirs, value) {
  const ratios = ours.flatMap((mine) => {
    const other = theirs.find(({ round }) => round === mine.round);
    return other ? [value(mine) / value(other)] : [];
  });
  return `${median(ratios).toFixed(2)} ×`;
}

function byAdapter(list) {
  const groups = new Map();
  for (const item of list) groups.set(item.adapter, [...(groups.get(item.adapter) ?? []), item]);
  return groups;
}

/** How near ours comes to the bare statements, by workload. */
export function ratiosToRaw(results) {
  const of = (adapter, workload) =>
    median(
      results
        .filter((r) => r.adapter === adapter && r.workload === workload)
        .map((r) => r.perSecond),
    );
  return [...new Set(results.map(({ workload }) => workload))].map((workload) => ({
    workload,
    ratio: of('batchyard-sqlite', workload) / of('raw-sqlite', workload),
  }));
}
