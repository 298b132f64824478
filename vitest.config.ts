import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { SuiteResults } from './scripts/suite-results.ts';
import { excludeOf, includeOf, SUITES, type Suite } from './test/suites.ts';

function toProject(suite: Suite): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name: suite.name,
      include: includeOf(suite),
      exclude: ['**/node_modules/**', ...excludeOf(suite)],
      sequence: { groupOrder: suite.stage },
      ...(suite.workers && { maxWorkers: suite.workers }),
      testTimeout: suite.timeoutMs,
      hookTimeout: suite.timeoutMs,
      globalSetup: [
        ...(suite.servers === 'only' ? ['test/support/databases/set-up-postgres.ts'] : []),
        ...(suite.built ? ['scripts/ensure-built.ts'] : []),
        ...(suite.browser ? ['scripts/ensure-chromium.ts'] : []),
        ...(suite.servers === 'only' ? ['test/support/databases/set-up-mongo.ts'] : []),
      ],
    },
  };
}

export default defineConfig({
  test: {
    projects: SUITES.filter(({ isLong }) => !isLong || process.env.BATCHYARD_FAULTS).map(toProject),
    // First ours, which prints nothing, so that a run ends with vitest's summary.
    reporters: [new SuiteResults('.results'), 'default'],
  },
});
