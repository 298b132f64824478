import { hostname } from 'node:os';
import type { Engine, Node, Random } from '../core/index.ts';
import { StartError } from './start-error.ts';

/** Longer than it takes to look and to register. */
const TAKING_MS = 10_000;

/**
 * Registers a node under the name it was given, or the machine's, or beside a live node of that
 * name `host-2` and so on; of many that start at once each gets its own. Throws StartError when the
 * given one is taken.
 */
export async function takeNodeName(
  engine: Engine,
  given: string | null,
  random: Random,
): Promise<string> {
  const holder = Buffer.from(random.bytes(12)).toString('hex');
  const base = given ?? hostname();
  let name = base;
  for (let number = 2; ; number++) {
    const other = await tryName(engine, name, holder);
    if (other === null) return name;
    if (given !== null) throw taken(given, other);
    name = `${base}-${number}`;
  }
}

/** Who has the name; null: we do, now. */
async function tryName(
  engine: Engine,
  name: string,
  holder: string,
): Promise<Partial<Node> | null> {
  const lease = `node ${name}`;
  const { held } = await engine.leases.acquire(lease, { holder, ttlMs: TAKING_MS });
  if (!held) return {};
  try {
    const { now } = await engine.health();
    const node = await engine.nodes.find(name);
    if (node?.active && node.expiresAt > now && !hasDiedHere(node)) return node;
    await engine.nodes.heartbeat(name, { host: hostname(), pid: process.pid });
    return null;
  } finally {
    await engine.leases.release(lease, holder);
  }
}

function taken(name: string, { host = '' }: Partial<Node>): StartError {
  const place = host === '' ? '' : ` on ${host}`;
  return new StartError(
    `A node named "${name}" is live already${place}. Stop it, or choose another name with --name.`,
  );
}

/** A node of this machine whose process is gone did not live to say goodbye. */
function hasDiedHere({ host, pid }: Node): boolean {
  if (host !== hostname() || pid === null || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
