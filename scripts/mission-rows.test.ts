import { describe, expect, it } from 'vitest';
import { missionReport } from './mission-report.ts';
import { assessMission, parseRowIds, type SuiteResult } from './mission-rows.ts';

const ROWS = [
  { id: 'CO-01', seed: 'Coordinate', feature: 'Hands out work' },
  { id: 'CO-02', seed: 'Coordinate', feature: 'Takes it back' },
  { id: 'D4-01', seed: 'Disbatch 4', feature: 'Has queues' },
];

function aResult(...tests: [status: string, ...titles: string[]][]): SuiteResult {
  const assertionResults = tests.map(([status, ...titles]) => ({
    status,
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1) ?? '',
  }));
  return { testResults: [{ name: 'a.test.ts', assertionResults }] };
}

describe('parseRowIds', () => {
  // The cases' names hold no row id: this file's own titles are read by `npm run mission`.
  it.each([
    ['one row', 'claims once [CO-53]', ['CO-53']],
    ['two rows in one bracket', '[D4-33, D4-34] limits', ['D4-33', 'D4-34']],
    ['two brackets side by side', '[D4-09][D4-10] runs', ['D4-09', 'D4-10']],
    ['brackets apart', '[AF-101] at last [DEN-01,BM-07]', ['AF-101', 'DEN-01', 'BM-07']],
    ['no row in other brackets', 'returns [] and [1, 2] and [null]', []],
    ['no row without brackets', 'CO-53', []],
  ])('reads %s', (_name, title, ids) => {
    expect(parseRowIds(title)).toEqual(ids);
  });

  it('keeps a misspelt part, so that it is reported', () => {
    expect(parseRowIds('[CO-53, CO54]')).toEqual(['CO-53', 'CO54']);
  });
});

describe('assessMission', () => {
  it('counts a row named by a passed test or by the suite around it', () => {
    const result = aResult(['passed', '[CO-01] work', 'is handed out'], ['passed', 'a [D4-01]']);

    expect(assessMission(ROWS, [result]).proven).toEqual(new Set(['CO-01', 'D4-01']));
  });

  it('counts no row by a failed, skipped or planned test', () => {
    const result = aResult(['failed', '[CO-01]'], ['skipped', '[CO-02]'], ['todo', '[D4-01]']);

    expect(assessMission(ROWS, [result]).proven).toEqual(new Set());
  });

  it('holds a row unproven while one of its tests fails', () => {
    const passed = aResult(['passed', '[CO-01] on SQLite']);
    const failed = aResult(['failed', '[CO-01] on PostgreSQL']);

    const state = assessMission(ROWS, [passed, failed]);

    expect(state.proven.has('CO-01')).toBe(false);
    expect(state.failing).toEqual(new Set(['CO-01']));
  });

  it('reports a row that does not exist, whatever became of its test', () => {
    const result = aResult(['passed', '[CO-99] x'], ['skipped', 'y [CO-1]']);

    expect(assessMission(ROWS, [result]).unknown).toEqual([
      { tag: 'CO-99', title: '[CO-99] x' },
      { tag: 'CO-1', title: 'y [CO-1]' },
    ]);
  });
});

describe('missionReport', () => {
  const state = assessMission(ROWS, [aResult(['passed', '[CO-01]'])]);

  it('counts rows per seed and in all', () => {
    const lines = missionReport(ROWS, state, { whole: false }).map((line) => line.split(/\s{2,}/));

    expect(lines).toContainEqual(['Coordinate', '2', '1', '1']);
    expect(lines).toContainEqual(['Disbatch 4', '1', '0', '1']);
    expect(lines).toContainEqual(['all', '3', '1', '2']);
  });

  it('lists every missing row with its feature when asked', () => {
    const lines = missionReport(ROWS, state, { whole: true });

    expect(lines).toContain('    CO-02   Takes it back');
    expect(lines).not.toContain('    CO-01   Hands out work');
  });
});
