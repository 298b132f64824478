/**
 * The real engine over the model store, through a network that loses, doubles, delays and reorders,
 * with crashes, pauses and wrong clocks. BATCHYARD_SIM_SECONDS says how long, BATCHYARD_SIM_SEED from where.
 */
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/source-files.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { countText } from './mutants/planting.ts';
import { REGRESSION_SEEDS } from './regression-seeds.ts';
import { runSeed } from './run-seed.ts';
import { failureText, runSeeds, SEED_LIMIT, summaryOf, tableOf } from './run-seeds.ts';
import { findNever } from './sometimes.ts';
import { hashTrace } from './trace.ts';

const SECONDS = Number(process.env.BATCHYARD_SIM_SECONDS ?? 90);
const FIRST_SEED = Number(process.env.BATCHYARD_SIM_SEED ?? Math.floor(Math.random() * SEED_LIMIT));
/** Fewer seeds than this need not have met everything. */
const ENOUGH_SEEDS = 2000;

describe('mutants', () => {
  it.each(MUTANTS)('$name: the text to change stands once', (mutant) => {
    expect(countText(ROOT, mutant)).toBe(1);
  });
});

describe('the simulated cluster', () => {
  it('does the same again from the same seed, event by event', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      const first = hashTrace();
      const second = hashTrace();
      const { eventCount } = await runSeed(seed, { trace: first });

      expect((await runSeed(seed, { trace: second })).eventCount).toBe(eventCount);
      expect(second.digest(), `seed ${seed}`).toBe(first.digest());
    }
  });

  it.each(REGRESSION_SEEDS)('holds with seed $seed, which once found: $was', async ({ seed }) => {
    const result = await runSeed(seed);

    expect(result.violation, failureText(result)).toBeNull();
  });

  it(
    `keeps every promise for ${SECONDS} s of seeds, and meets every fault`,
    async () => {
      const report = await runSeeds({ firstSeed: FIRST_SEED, seconds: SECONDS });
      process.stdout.write(`\n${summaryOf(report)}\n${tableOf(report.counts)}\n`);

      if (report.failure) expect.fail(failureText(report.failure));
      if (report.count >= ENOUGH_SEEDS) expect(findNever(report.counts)).toEqual([]);
    },
    (SECONDS + 60) * 1000,
  );
});
