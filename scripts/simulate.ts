/**
 * `npm run simulate`: many seeds of the simulated cluster, or one with its full trace.
 *
 *   npm run simulate -- [--seeds 20000] [--seconds N] [--first SEED] [--quiet]
 *   npm run simulate -- --seed SEED
 */
import { parseArgs } from 'node:util';
import { runSeed } from '../test/simulation/run-seed.ts';
import {
  failureText,
  runSeeds,
  SEED_LIMIT,
  summaryOf,
  tableOf,
} from '../test/simulation/run-seeds.ts';
import { findNever } from '../test/simulation/sometimes.ts';
import { linesTrace } from '../test/simulation/trace.ts';

const USUAL_COUNT = 20_000;
/** Fewer seeds than this need not have met everything. */
const ENOUGH_SEEDS = 2000;

const OPTIONS = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  seconds: { type: 'string' },
  first: { type: 'string' },
  quiet: { type: 'boolean' },
} as const;

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} ${text}: use a whole number from 0`);
}

async function replay(seed: number): Promise<number> {
  const result = await runSeed(seed, { trace: linesTrace((line) => console.log(line)) });
  console.log(failureText(result));
  return result.violation === null ? 0 : 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const seed = wholeNumber('seed', values.seed);
  if (seed !== undefined) return replay(seed);

  const seconds = wholeNumber('seconds', values.seconds);
  const count =
    wholeNumber('seeds', values.seeds) ?? (seconds === undefined ? USUAL_COUNT : undefined);
  const firstSeed = wholeNumber('first', values.first) ?? Math.floor(Math.random() * SEED_LIMIT);
  const report = await runSeeds({
    firstSeed,
    ...(count !== undefined && { count }),
    ...(seconds !== undefined && { seconds }),
    onProgress: (done, passed) => {
      if (!values.quiet) console.log(`${done} seeds from ${firstSeed} in ${passed.toFixed(0)} s`);
    },
  });

  if (!values.quiet) console.log(tableOf(report.counts));
  console.log(summaryOf(report));
  if (report.failure) {
    console.log(failureText(report.failure));
    return 1;
  }
  const never = report.count >= ENOUGH_SEEDS ? findNever(report.counts) : [];
  for (const name of never) console.log(`never happened: ${name}`);
  return never.length === 0 ? 0 : 1;
}

process.exitCode = await main();
