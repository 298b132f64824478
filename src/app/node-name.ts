import { hostname } from 'node:os';
import type { Engine, Node } from '../core/index.ts';
import { StartError } from './start-error.ts';

/**
 * The name a node starts under: the one it was given, or the machine's, or beside a live
 * node of that name `host-2` and so on. Throws StartError when the given one is taken.
 */
export async function chooseNodeName(engine: Engine, given: string | null): Promise<string> {
  const { now } = await engine.health();
  const isTaken = async (name: string): Promise<Node | null> => {
    const node = await engine.nodes.find(name);
    return node?.active && node.expiresAt > now && !hasDiedHere(node) ? node : null;
  };
  if (given !== null) {
    const other = await isTaken(given);
    if (other === null) return given;
    const place = other.host === '' ? '' : ` on ${other.host}`;
    throw new StartError(
      `A node named "${given}" is live already${place}. Stop it, or choose another name with --name.`,
    );
  }
  const base = hostname();
  let name = base;
  for (let number = 2; (await isTaken(name)) !== null; number++) name = `${base}-${number}`;
  return name;
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
