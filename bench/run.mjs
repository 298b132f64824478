// npm run bench [-- OPTIONS]: everything in one run, interleaved, as ratios. docs/benchmarks.md says how to read it.
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS } from './adapter-list.mjs';
import { measure } from './measurement.mjs';
import { readOptions, USAGE } from './options.mjs';
import { preparePeers, versionOf } from './peers.mjs';
import { printReport } from './report.mjs';
import { ratiosToRaw } from './results.mjs';
import { openServers } from './servers/server-list.mjs';
import { judgeTargets } from './targets.mjs';
import { sizedWorkload } from './workload-list.mjs';

const ROOT = join(import.meta.dirname, '..');

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else process.exitCode = await run(options);
} catch (error) {
  console.error(error.name === 'AbortError' ? 'Interrupted.' : error.message);
  process.exitCode = 1;
}

async function run(options) {
  if (!existsSync(join(ROOT, 'dist/sdk/index.js')))
    throw new Error('There is no dist/: npm run build makes it.');
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());

  const { commands, missing } = preparePeers(options.adapters);
  const needed = new Set([...commands.keys()].map((name) => ADAPTERS[name].server));
  const { servers, stop } = await openServers(needed, (server, reason) => {
    for (const name of [...commands.keys()].filter((name) => ADAPTERS[name].server === server)) {
      commands.delete(name);
      missing.set(name, reason);
    }
  });
  for (const [name, reason] of missing) console.error(`Missing: ${name}: ${reason}`);
  try {
    const results = await measureAll({ ...options, commands, servers, signal: interrupted.signal });
    return report({ options, results, missing, servers, ran: [...commands.keys()] });
  } finally {
    await stop();
  }
}

/** In each round every workload, and in each workload every adapter, in an order that changes. */
async function measureAll({ rounds, workloads, scale, commands, servers, signal }) {
  const results = [];
  for (let round = 1; round <= rounds; round++) {
    for (const name of workloads) {
      for (const adapter of shuffled([...commands.keys()])) {
        const { server, share, bulkSize, cannot } = ADAPTERS[adapter];
        if (cannot?.[name]) continue;
        const workload = sizedWorkload(name, { scale, share, bulkSize });
        const result = await measure({
          command: commands.get(adapter),
          server: servers.get(server),
          workload,
          signal,
        });
        results.push({ round, adapter, workload: name, ...result });
        console.error(progress({ round, rounds, name, adapter, result }));
      }
    }
  }
  return results;
}

function progress({ round, rounds, name, adapter, result: { failure, perSecond, p50Ms } }) {
  const shown = perSecond ? `${perSecond}/s` : `p50 ${p50Ms} ms`;
  const said = failure ? `FAILED: ${failure}` : shown;
  return `${round}/${rounds} · ${name.padEnd(10)} · ${adapter.padEnd(18)} · ${said}`;
}

function shuffled(list) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
  return list;
}

/** Prints; answers the exit code. */
function report({ options, results, missing, servers, ran }) {
  const about = aboutRun({ options, results, servers, ran });
  const done = results.filter(({ failure }) => !failure);
  const failed = results.filter(({ failure }) => failure);
  const targets = judgeTargets(done, options);
  if (options.json) {
    const json = { about, missing: Object.fromEntries(missing), results, targets };
    console.log(JSON.stringify(json, null, 1));
  } else printReport({ about, options, done, failed, missing, targets });

  const { floor } = options;
  const ratios = floor === null ? [] : ratiosToRaw(done, options);
  // A ratio that is missing, because ours failed, is below any floor.
  const below = ratios.filter(({ ratio }) => !(ratio >= floor));
  for (const { store, workload, ratio } of below) {
    console.error(`${store} ${workload}: ${ratio.toFixed(2)} × the raw loop, below ${floor}`);
  }
  return failed.length + below.length > 0 ? 1 : 0;
}

function aboutRun({ options, results, servers, ran }) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const loads = results.flatMap(({ load }) => load ?? []);
  const versions = ran.map((name) => [name, versionOf(name)]);
  return {
    version,
    node: process.version,
    machine: `${cpus().length} × ${(cpus()[0]?.model ?? 'unknown processor').trim()}`,
    servers: [...new Set([...servers.values()].map((server) => server.version))],
    versions: Object.fromEntries(versions.filter(([, known]) => known)),
    rounds: options.rounds,
    scale: options.scale,
    load: loads.length > 0 ? [Math.min(...loads), Math.max(...loads)] : null,
  };
}
