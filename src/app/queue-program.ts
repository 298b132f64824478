import { resolve } from 'node:path';
import type { Program } from '../core/index.ts';
import { resolveProgram } from '../node/resolve-program.ts';

export interface ProgramRequest {
  readonly argv: readonly string[];
  /** Where relative paths start: the caller's working directory. */
  readonly from: string;
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Checked as if it ran here; null: its nodes are elsewhere, so only paths are made absolute. */
  readonly searchPath: string | null;
}

/**
 * A queue's program from the words of a command line. A path becomes absolute; a
 * bare name stays one, for each node to find. Throws INVALID_REQUEST when it cannot run here.
 */
export async function toProgram(request: ProgramRequest): Promise<Program> {
  const { argv, from, env, searchPath } = request;
  const [name = '', ...rest] = argv;
  const cwd = request.cwd === null ? null : resolve(from, request.cwd);
  const whole = [name.includes('/') ? resolve(from, name) : name, ...rest];
  if (searchPath !== null) await resolveProgram(whole, cwd, searchPath);
  return { argv: whole, cwd, env };
}
