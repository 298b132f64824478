import { readdirSync, readFileSync } from 'node:fs';

export const nowMs = () => performance.now();
export const elapsedMs = (since) => performance.now() - since;

const serverPid = Number(process.env.BENCH_SERVER_PID ?? 0);

/** Runs, and says how many a second, and the CPU each cost here and in the server. `run` answers how many it did. */
export async function timed(run) {
  const server = serverCpuUs(serverPid);
  const cpu = process.cpuUsage();
  const begun = nowMs();
  const count = await run();
  const seconds = elapsedMs(begun) / 1000;
  const used = process.cpuUsage(cpu);
  return {
    count,
    perSecond: Math.round(count / seconds),
    cpuUs: +((used.user + used.system) / count).toFixed(1),
    ...(server !== null && {
      serverCpuUs: +((serverCpuUs(serverPid) - server) / count).toFixed(1),
    }),
  };
}

const TICK_US = 10_000;

/** CPU a server used so far: the process, its children and those it has buried. null: not ours, or no /proc. */
function serverCpuUs(pid) {
  const top = pid ? readStat(pid) : null;
  if (top === null) return null;
  let ticks = top.own + top.buried;
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? readStat(name) : null;
    if (child?.parent === pid) ticks += child.own;
  }
  return ticks * TICK_US;
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1], own: fields[11] + fields[12], buried: fields[13] + fields[14] };
  } catch {
    return null;
  }
}
