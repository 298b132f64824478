// One measurement in a process of its own: node measure.mjs MODULE PLACE WORKLOAD, both JSON. Prints one JSON line.
import { runWorkload } from './workloads.mjs';

const STOPS_WITHIN_MS = 10_000;

const [module, place, workload] = process.argv.slice(2);
const { open } = await import(`./adapters/${module}.mjs`);
const yard = await open(JSON.parse(place));
const result = await runWorkload(yard, JSON.parse(workload));
const rssMb = Math.round(process.memoryUsage().rss / 1048576);
console.log(JSON.stringify({ ...result, rssMb }));
// Some peers wait long for their polls before they stop.
await Promise.race([yard.stop(), new Promise((resolve) => setTimeout(resolve, STOPS_WITHIN_MS))]);
process.exit(0);
