/**
 * `npm run mutants [-- --seeds 400] [--only TEXT]`: plants each bug of test/simulation/mutants in a
 * temporary copy of the sources and runs the simulation there, which must fail.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Mutant } from '../test/simulation/mutants/mutant.ts';
import { MUTANTS } from '../test/simulation/mutants/mutants.ts';
import { plant } from '../test/simulation/mutants/planting.ts';

const root = join(import.meta.dirname, '..');
const COPIED = [
  'src/core',
  'test/support',
  'test/simulation',
  'scripts',
  'package.json',
  'tsconfig.json',
];
const USUAL_SEEDS = '400';
/** Always the same seeds, so that two runs can be compared. */
const FIRST_SEED = '1';

interface Verdict {
  readonly mutant: string;
  readonly seed: string;
  readonly caughtBy: string;
  readonly isCaught: boolean;
}

function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-mutant-'));
  for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

/** Runs the simulation and gives what it printed; a failing run is what is hoped for. */
async function simulate(
  folder: string,
  seeds: string,
): Promise<{ isFailed: boolean; text: string }> {
  const args = ['--import', 'tsx', 'scripts/simulate.ts', '--quiet'];
  args.push('--seeds', seeds, '--first', FIRST_SEED);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    return { isFailed: false, text: stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { isFailed: true, text: `${stdout}${stderr}` };
  }
}

async function judge(mutant: Mutant | null, seeds: string): Promise<Verdict> {
  const folder = copySources();
  try {
    if (mutant) plant(folder, mutant);
    const { isFailed, text } = await simulate(folder, seeds);
    const [, seed = '-'] = /seed (\d+) breaks a promise/.exec(text) ?? [];
    const [, invariant] = /breaks a promise.*\n {2}([^:]+):/.exec(text) ?? [];
    if (isFailed && !invariant) throw new Error(`The simulation did not run:\n${text}`);
    const name = mutant?.name ?? '(none planted: must pass)';
    return { mutant: name, seed, caughtBy: invariant ?? 'survived', isCaught: isFailed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print({ mutant, seed, caughtBy }: Verdict): void {
  console.log(`${mutant.padEnd(52)} ${seed.padStart(6)}  ${caughtBy}`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: USUAL_SEEDS }, only: { type: 'string' } },
  });
  const chosen = MUTANTS.filter(({ name }) => name.includes(values.only ?? ''));
  print({ mutant: 'mutant', seed: 'seed', caughtBy: 'caught by', isCaught: true });

  const control = await judge(null, values.seeds);
  print(control);
  if (control.isCaught) {
    console.log('The simulation fails without a mutant: mend that first.');
    return 1;
  }
  let survivors = 0;
  for (const mutant of chosen) {
    const verdict = await judge(mutant, values.seeds);
    print(verdict);
    if (!verdict.isCaught) survivors += 1;
  }
  console.log(`${chosen.length - survivors} of ${chosen.length} mutants caught`);
  return survivors === 0 ? 0 : 1;
}

process.exitCode = await main();
