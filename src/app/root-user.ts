import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** Whether this process has all rights on the machine, and so would the programs it runs. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A node of a yard that others may fill must not run their programs as root unawares. */
export function checkMayRunPrograms({ allowRoot, node }: Config): void {
  if (!isRoot() || allowRoot || !node.programs) return;
  throw new StartError(
    'As root, this node would give every program all rights: start it as another user, or say --allow-root, or --programs false.',
  );
}
