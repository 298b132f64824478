/** The test suites: each is a vitest project, and its result is kept in .results/<name>.json. */
export interface Suite {
  readonly name: string;
  /** Every *.test.ts(x) below these folders belongs to the suite. */
  readonly folders: readonly string[];
  /** Suites of one stage run side by side; stages run one after the other. */
  readonly stage: number;
  readonly timeoutMs: number;
  /** Needs dist/: built before the suite starts, when older than the sources. */
  readonly built?: true;
  /** Needs Chromium: fetched before the suite starts, when the machine has none. */
  readonly browser?: true;
  /** Takes long, and runs only when BATCHYARD_FAULTS is set: `npm run faults`. */
  readonly isLong?: true;
  /** Files that run side by side; not said: as many as vitest thinks right. */
  readonly workers?: number;
  /** Which files by name: those of stores that need a database server, or all others. */
  readonly servers?: 'only' | 'without';
}

const STORE_FOLDERS = ['test/stores', 'test/engines', 'test/model'];
const SERVER_TESTS = '*{postgres,mongo}*.test.ts';

export const SUITES: readonly Suite[] = [
  { name: 'unit', folders: ['src', 'scripts', 'bench', 'test/docs'], stage: 0, timeoutMs: 20_000 },
  {
    name: 'stores',
    folders: STORE_FOLDERS,
    servers: 'without',
    stage: 1,
    timeoutMs: 30_000,
  },
  {
    name: 'databases',
    folders: STORE_FOLDERS,
    servers: 'only',
    workers: 2,
    stage: 2,
    timeoutMs: 60_000,
  },
  { name: 'simulation', folders: ['test/simulation'], stage: 3, timeoutMs: 120_000 },
  { name: 'api', folders: ['test/api'], stage: 4, timeoutMs: 30_000 },
  { name: 'doors', folders: ['test/doors'], stage: 4, timeoutMs: 60_000 },
  { name: 'node', folders: ['test/node'], stage: 5, timeoutMs: 60_000 },
  { name: 'cli', folders: ['test/cli'], stage: 6, timeoutMs: 60_000, built: true },
  { name: 'e2e', folders: ['test/end-to-end'], stage: 7, timeoutMs: 120_000, built: true },
  {
    name: 'faults',
    folders: ['test/faults'],
    stage: 9,
    timeoutMs: 600_000,
    built: true,
    isLong: true,
  },
  {
    name: 'browser',
    folders: ['test/browser'],
    stage: 8,
    timeoutMs: 120_000,
    built: true,
    browser: true,
  },
];

/** Tests directly in test/ are unit tests: they look at the repository itself. */
const LOOSE_UNIT_TESTS = 'test/*.test.ts';

export function includeOf(suite: Suite): string[] {
  const files = suite.servers === 'only' ? SERVER_TESTS : '*.test.{ts,tsx}';
  const include = suite.folders.map((folder) => `${folder}/**/${files}`);
  return suite.name === 'unit' ? [...include, LOOSE_UNIT_TESTS] : include;
}

export function excludeOf(suite: Suite): string[] {
  return suite.servers === 'without' ? [`**/${SERVER_TESTS}`] : [];
}
