import { keyText, type Program } from '../../core/index.ts';
import type { HeldTask } from '../held-task.ts';

/** The variables of a process, as `process.env` gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'];
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * All that a program finds in its environment: a few harmless variables of the node, the
 * queue's own, and the task's ids. Nothing else of the node's environment, which may
 * hold passwords.
 */
export function programEnvironment(
  program: Program,
  task: HeldTask,
  { node, inherited }: { readonly node: string; readonly inherited: Environment },
): Record<string, string> {
  const env: Record<string, string> = { PATH: USUAL_PATH };
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && (INHERITED.includes(name) || name.startsWith('LC_'))) {
      env[name] = value;
    }
  }
  const { claim } = task;
  return {
    ...env,
    ...program.env,
    BATCHYARD_NAMESPACE: task.queue.namespace,
    BATCHYARD_QUEUE: claim.queue,
    BATCHYARD_TASK: claim.taskId,
    BATCHYARD_FENCE: String(claim.fence),
    BATCHYARD_ATTEMPT: String(claim.tryCount + 1),
    BATCHYARD_ROUND: String(claim.roundCount),
    BATCHYARD_NODE: node,
    ...keyVariable(task),
  };
}

/** A key that no variable can carry is left to stdin, where it is always found. */
function keyVariable({ claim: { key } }: HeldTask): { BATCHYARD_KEY?: string } {
  if (key === null || (typeof key === 'string' && key.includes('\0'))) return {};
  return { BATCHYARD_KEY: keyText(key) };
}
