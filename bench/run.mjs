// npm run bench [-- --rounds N] [--only WORKLOAD,…] [--ours]: everything in one run, interleaved, as ratios.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printReport, ratiosToRaw } from './report.mjs';
import { WORKLOADS } from './workloads.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    ours: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    // The least part of the raw loop's rate that passes; for CI, against gross regressions only.
    floor: { type: 'string' },
  },
});

const adapters = values.ours
  ? ['batchyard-sqlite', 'raw-sqlite']
  : ['batchyard-sqlite', 'plainjob', 'raw-sqlite'];
if (!values.ours && !existsSync(`${HERE}node_modules/better-sqlite3/build`)) {
  console.error('Fetching the peers (better-sqlite3 is compiled; this takes some minutes, once) …');
  const install = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: HERE,
    stdio: 'inherit',
  });
  if (install.status !== 0) process.exit(1);
}

const workloads = values.only ? values.only.split(',') : Object.keys(WORKLOADS);
const rounds = Number(values.rounds);
const results = [];
for (let round = 1; round <= rounds; round++) {
  for (const workload of workloads) {
    for (const adapter of adapters.toSorted(() => Math.random() - 0.5)) {
      const child = spawnSync(process.execPath, [`${HERE}measure.mjs`, adapter, workload], {
        encoding: 'utf8',
        timeout: 180_000,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const line = child.stdout.trim().split('\n').at(-1);
      if (child.status !== 0 || !line) {
        console.error(
          `${adapter} ${workload}: failed (status ${child.status}, signal ${child.signal})`,
        );
        continue;
      }
      const result = { round, load: +loadavg()[0].toFixed(2), ...JSON.parse(line) };
      results.push(result);
      const shown = result.perSecond
        ? `${result.perSecond}/s`
        : `p50 ${result.p50Ms.toFixed(2)} ms`;
      console.error(`round ${round} · ${workload.padEnd(10)} · ${adapter.padEnd(18)} · ${shown}`);
    }
  }
}
if (values.json) console.log(JSON.stringify(results, null, 1));
else {
  const { version } = JSON.parse(readFileSync(`${HERE}../package.json`, 'utf8'));
  printReport(results, {
    version,
    node: process.version,
    cores: cpus().length,
    model: cpus()[0]?.model ?? '',
  });
}
if (values.floor) {
  const below = ratiosToRaw(results).filter(({ ratio }) => !(ratio >= Number(values.floor)));
  for (const { workload, ratio } of below) {
    console.error(`${workload}: ${ratio.toFixed(2)} × the raw loop, below ${values.floor}`);
  }
  if (below.length > 0) process.exit(1);
}
