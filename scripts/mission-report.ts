import type { MissionRow, MissionState } from './mission-rows.ts';

const IDS_SHOWN = 10;

/** The report's lines: a table per seed, then the ids. `whole` lists every missing row with its feature. */
export function missionReport(
  rows: readonly MissionRow[],
  state: MissionState,
  { whole }: { whole: boolean },
): string[] {
  const seeds = [...new Set(rows.map((row) => row.seed))].map((seed) => {
    const own = rows.filter((row) => row.seed === seed);
    return {
      seed,
      own,
      proven: own.filter((row) => state.proven.has(row.id)),
      missing: own.filter((row) => !state.proven.has(row.id)),
    };
  });

  const table = [
    tableLine('seed', 'rows', 'proven', 'missing'),
    ...seeds.map(({ seed, own, proven, missing }) =>
      tableLine(seed, own.length, proven.length, missing.length),
    ),
    tableLine('all', rows.length, state.proven.size, rows.length - state.proven.size),
  ];

  const details = seeds.flatMap(({ seed, proven, missing }) => [
    '',
    seed,
    `  proven:  ${idList(proven)}`,
    ...(whole
      ? [
          '  missing:',
          ...missing.map((row) => `    ${row.id.padEnd(7)} ${mark(row)}${row.feature}`),
        ]
      : [`  missing: ${idList(missing, IDS_SHOWN)}`]),
  ]);

  return [...table, ...details];

  function mark(row: MissionRow): string {
    return state.failing.has(row.id) ? '(its test fails) ' : '';
  }
}

function tableLine(seed: string, ...cells: readonly (string | number)[]): string {
  return seed.padEnd(14) + cells.map((cell) => String(cell).padStart(9)).join('');
}

function idList(rows: readonly MissionRow[], limit = rows.length): string {
  if (rows.length === 0) return 'none';
  const rest = rows.length - limit;
  const ids = rows.slice(0, limit).map((row) => row.id);
  return ids.join(' ') + (rest > 0 ? ` … and ${rest} more (--missing lists them)` : '');
}
