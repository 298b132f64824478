import { readdirSync, readFileSync } from 'node:fs';

/** Stops a process and all its children, and lets them go on after a while. */
export async function stopFor(pid: number, ms: number): Promise<void> {
  const all = treeOf(pid);
  for (const one of all) signal(one, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, ms));
  for (const one of all) signal(one, 'SIGCONT');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function treeOf(pid: number): number[] {
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = others.filter((name) => parentOf(name) === pid).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything, in parentheses: state and parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
