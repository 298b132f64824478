import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';

const ENDS_WITHIN_MS = 300_000;

/** One adapter, one workload, a fresh place, a process of its own. Answers the result, or { failure }. */
export async function measure(request) {
  try {
    return await measureOnce(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return { failure: error.message };
  }
}

async function measureOnce({ command, server, workload, signal }) {
  const { place, remove } = await server.createPlace();
  try {
    const [program, ...args] = command;
    const child = spawn(program, [...args, JSON.stringify(place), JSON.stringify(workload)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BENCH_SERVER_PID: String(server.pid) },
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        printed[name] += text;
      });
    }
    const [status, ended] = await once(child, 'close');
    const line = printed.stdout.trim().split('\n').at(-1);
    if (status !== 0 || !line) {
      return { failure: `${reasonIn(printed.stderr)} (${ended ?? `status ${status}`})` };
    }
    return { load: +loadavg()[0].toFixed(2), ...JSON.parse(line) };
  } finally {
    await remove();
  }
}

/** The line of an error that says something: Node prints the source before it. */
function reasonIn(text) {
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /^(\w*Error|error|panic)\b/.test(line));
  return said ?? lines.find(Boolean) ?? 'no reason';
}
