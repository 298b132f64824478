/** A feature that one of the five seed systems names, and that a test must prove. */
export interface MissionRow {
  readonly id: string;
  readonly seed: string;
  readonly feature: string;
}

/** What `npm run mission` reads of a suite's result (vitest's JSON reporter). */
export interface SuiteResult {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

export interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
}

export interface MissionState {
  /** Rows with a passed test and no failed one. */
  readonly proven: ReadonlySet<string>;
  readonly failing: ReadonlySet<string>;
  /** Tags that name no row, each with the title that carries it. */
  readonly unknown: readonly { readonly tag: string; readonly title: string }[];
}

const ROW_ID = /^[A-Z][A-Z0-9]*-\d+$/;
const BRACKETS = /\[([^[\]]*)\]/g;

/**
 * The row ids in a test's title: `[CO-53]`, `[D4-33, D4-34]` or `[D4-09][D4-10]`.
 * Once one part of a bracket reads as a row id, all its parts are returned, so that a slip such as
 * `[CO-53, CO54]` shows up as an unknown row instead of being lost.
 */
export function parseRowIds(title: string): string[] {
  return [...title.matchAll(BRACKETS)].flatMap(([, inside = '']) => {
    const parts = inside.split(',').map((part) => part.trim());
    return parts.some((part) => ROW_ID.test(part)) ? parts : [];
  });
}

export function assessMission(
  rows: readonly MissionRow[],
  results: readonly SuiteResult[],
): MissionState {
  const known = new Set(rows.map((row) => row.id));
  const passed = new Set<string>();
  const failing = new Set<string>();
  const unknown: { tag: string; title: string }[] = [];

  for (const test of results.flatMap((result) => result.testResults).flatMap(testsOf)) {
    const title = [...test.ancestorTitles, test.title].join(' > ');
    for (const id of parseRowIds(title)) {
      if (!known.has(id)) unknown.push({ tag: id, title });
      else if (test.status === 'passed') passed.add(id);
      else if (test.status === 'failed') failing.add(id);
    }
  }

  const proven = new Set([...passed].filter((id) => !failing.has(id)));
  return { proven, failing, unknown };
}

function testsOf(file: SuiteResult['testResults'][number]): readonly TestResult[] {
  return file.assertionResults;
}
