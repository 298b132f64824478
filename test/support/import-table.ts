import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './source-files.ts';

export interface Verdict {
  readonly modulesRead: number;
  /** `rule: from -> to`, one for each broken rule. */
  readonly violations: readonly string[];
}

/** Runs dependency-cruiser with the real table on the `src` of a folder. */
export function cruise(folder: string): Verdict {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      'src',
      '--config',
      join(ROOT, '.dependency-cruiser.mjs'),
      '--output-type',
      'json',
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (!stdout) throw new Error(`dependency-cruiser said nothing: ${stderr}`);

  const { modules, summary } = JSON.parse(stdout) as CruiseResult;
  return {
    modulesRead: modules.filter((module) => /^src\/.*\.tsx?$/.test(module.source)).length,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  };
}

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

/** A folder outside the repository that holds these files and our node_modules; gone when disposed. */
export function plantFiles(files: Record<string, string>): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'batchyard-imports-'));
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'tsconfig.json'), '{"compilerOptions": {"module": "NodeNext"}}');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
