// `npm run lock [-- bench/package-lock.json]`: gives a lock file an entry for every optional platform package.
// npm leaves out those it could not fetch, and `npm ci` then calls the lock file out of step.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const file = resolve(process.argv[2] ?? join(import.meta.dirname, '../package-lock.json'));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;

const SYSTEM = /\b(android|darwin|freebsd|linux|openharmony|win32|wasi)\b/;
const PROCESSOR = /\b(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|wasm32|x64)\b/;

let added = 0;
for (const parent of Object.values(packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const [, processor] = PROCESSOR.exec(name) ?? [];
    if (packages[`node_modules/${name}`] || !processor || !/^\d/.test(version)) continue;
    packages[`node_modules/${name}`] = platformEntry(name, version, processor, parent.dev);
    added += 1;
  }
}

function platformEntry(name, version, processor, dev) {
  const [, system] = SYSTEM.exec(name) ?? [];
  const libc = name.endsWith('-musl') ? 'musl' : name.endsWith('-gnu') ? 'glibc' : null;
  return {
    version,
    cpu: [processor],
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(system && system !== 'wasi' && { os: [system] }),
  };
}

const sorted = Object.fromEntries(
  Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`package-lock.json: ${added} platform packages added`);
