// One measurement in a process of its own: node measure.mjs ADAPTER WORKLOAD. Prints one JSON line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile, WORKLOADS } from './workloads.mjs';

const [adapterName, workloadName] = process.argv.slice(2);
const adapter = await import(`./adapters/${adapterName}.mjs`);
const workload = WORKLOADS[workloadName];
const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'batchyard-bench-'));

try {
  const result = await workload.run(adapter, join(folder, 'bench.db'), workload);
  const { rss } = process.memoryUsage();
  const latencies = result.latenciesMs?.toSorted((a, b) => a - b);
  const summary = {
    adapter: adapterName,
    workload: workloadName,
    ...result,
    latenciesMs: undefined,
    ...(latencies && { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }),
    rssMb: Math.round(rss / 1048576),
  };
  console.log(JSON.stringify(summary));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
