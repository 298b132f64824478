import { readdir, readFile } from 'node:fs/promises';
import type { Clock } from '../../core/index.ts';

/** The processes of one group: a program and whatever it started that stayed with it. */
export interface ProcessGroup {
  /** SIGTERM now and SIGKILL after the grace; with no grace, SIGKILL now. A shorter grace replaces a longer one. */
  stop(graceMs: number): void;
  /** Resolves when none of them lives. */
  gone(): Promise<void>;
  /** Whether any of them lives. */
  isAlive(): Promise<boolean>;
}

const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 200;

export function createProcessGroup(groupId: number, clock: Clock): ProcessGroup {
  let killAtMs = Number.POSITIVE_INFINITY;
  let killTimer: Disposable | null = null;

  const isAlive = async (): Promise<boolean> =>
    signalGroup(groupId, 0) && (await hasLivingMember(groupId));

  return {
    isAlive,
    stop(graceMs) {
      const atMs = clock.monotonicMs() + graceMs;
      if (atMs >= killAtMs) return;
      killTimer?.[Symbol.dispose]();
      killAtMs = atMs;
      if (graceMs <= 0) {
        signalGroup(groupId, 'SIGKILL');
        return;
      }
      signalGroup(groupId, 'SIGTERM');
      killTimer = clock.after(graceMs, () => signalGroup(groupId, 'SIGKILL'));
    },
    async gone() {
      for (let pauseMs = FIRST_LOOK_MS; await isAlive(); ) {
        await clock.sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS);
      }
      killTimer?.[Symbol.dispose]();
    },
  };
}

/** False: there is no such group. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    // EPERM: it is there, but belongs to another user by now.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Tells the living from the dead that nobody has reaped: in a container whose first process
 * does not reap, zombies stay in the group for good. Where /proc cannot say, all count as living.
 */
async function hasLivingMember(groupId: number): Promise<boolean> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return true;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // pid (name) state parent group …; the name may hold anything, so count from its end.
    const [state, , group] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (Number(group) === groupId && state !== 'Z' && state !== 'X') return true;
  }
  return false;
}
