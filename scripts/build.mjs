// `npm run build`: makes dist/ from src/. Also used by `npm start` and by the tests that need dist/.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const SOURCES = [
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts',
];

/** Is dist/ missing, or older than a file it is made from? */
export function isStale() {
  if (!existsSync(stamp)) return true;
  const builtAt = statSync(stamp).mtimeMs;
  return SOURCES.some((source) => newestMtime(join(root, source)) > builtAt);
}

/** Builds beside dist/ and swaps it in at the end, so that dist/ is never half made. */
export function build() {
  console.error('building Batchyard (about 20 s, once) …');
  const startedAt = new Date();
  const fresh = join(root, '.cache', `dist-${process.pid}`);
  try {
    rmSync(fresh, { recursive: true, force: true });
    runTool('typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', fresh]);
    copyAssets(fresh);
    if (existsSync(join(root, 'src/dashboard/index.html'))) {
      const outDir = join(fresh, 'dashboard');
      runTool('vite/bin/vite.js', ['build', '--outDir', outDir, '--logLevel', 'warn']);
    }
    const program = join(fresh, 'cli/main.js');
    if (existsSync(program)) chmodSync(program, 0o755);

    writeFileSync(join(fresh, '.built'), '');
    utimesSync(join(fresh, '.built'), startedAt, startedAt);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What the product reads at run time beside its code: migrations, runner shims and the like. */
function copyAssets(target) {
  const source = join(root, 'src');
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(source.length + 1);
    if (!entry.isFile() || path.startsWith(`dashboard${sep}`)) continue;
    if (/\.(ts|tsx|md)$/.test(path)) continue;
    cpSync(file, join(target, path));
  }
}

function runTool(tool, args) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    // The build speaks on stderr only: stdout belongs to the program that `npm start` runs next.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`${tool} failed`);
}

/** Folders count too: their time changes when a file is taken away. */
function newestMtime(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return /\.test\.tsx?$/.test(path) ? 0 : stats.mtimeMs;
  const inside = readdirSync(path).map((name) => newestMtime(join(path, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    build();
  } catch (error) {
    console.error(`The build failed: ${error.message}.`);
    process.exitCode = 1;
  }
}
