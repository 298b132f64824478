import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from '../../src/core/index.ts';

/** A folder of shell scripts for program tasks; gone when disposed. */
export interface ScriptFolder extends Disposable {
  readonly path: string;
  /** Writes an executable script and gives the program that runs it. */
  script(name: string, body: string, args?: readonly string[]): Program;
  write(name: string, content: string | Uint8Array, mode?: number): string;
  /** null while the file is not there, or empty. */
  read(name: string): string | null;
}

export function openScriptFolder(): ScriptFolder {
  const path = mkdtempSync(join(tmpdir(), 'batchyard-scripts-'));
  const write = (name: string, content: string | Uint8Array, mode = 0o644): string => {
    const file = join(path, name);
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  };
  return {
    path,
    write,
    script: (name, body, args = []) => ({
      argv: [write(name, `#!/bin/sh\n${body}\n`, 0o755), ...args],
      cwd: path,
      env: {},
    }),
    read(name) {
      const file = join(path, name);
      if (!existsSync(file)) return null;
      return readFileSync(file, 'utf8').trim() || null;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Whether a process lives; one that is dead and not reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return stat === '' || stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
}
