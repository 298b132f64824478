/**
 * `npm run mission [-- --missing]`: which features of the seed systems passing tests prove.
 * Reads docs/mission.json and what the last test runs left in .results/.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missionReport } from './mission-report.ts';
import { assessMission, type MissionRow, type SuiteResult } from './mission-rows.ts';

const root = join(import.meta.dirname, '..');
const resultsFolder = join(root, '.results');

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

function main(): number {
  const files = existsSync(resultsFolder)
    ? readdirSync(resultsFolder).filter((file) => file.endsWith('.json'))
    : [];
  if (files.length === 0) {
    console.error('No test results in .results/. Run `npm test` first.');
    return 1;
  }

  const rows = readJson<MissionRow[]>(join(root, 'docs/mission.json'));
  const results = files.map((file) => readJson<SuiteResult>(join(resultsFolder, file)));
  const state = assessMission(rows, results);

  const suites = files.map((file) => file.replace(/\.json$/, '')).join(', ');
  const whole = process.argv.includes('--missing');
  console.log([`Results of: ${suites}`, '', ...missionReport(rows, state, { whole })].join('\n'));

  for (const { tag, title } of state.unknown) {
    console.error(`\nNo row "${tag}" in docs/mission.json, but a test names it: ${title}`);
  }
  return state.unknown.length === 0 ? 0 : 1;
}

process.exitCode = main();
