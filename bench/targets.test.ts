import { describe, expect, it } from 'vitest';
import { judgeTargets } from './targets.mjs';

interface Result {
  readonly adapter: string;
  readonly workload: string;
  readonly round: number;
}

function aRate(adapter: string, workload: string, ...rates: number[]): Result[] {
  return rates.map((perSecond, index) => ({ adapter, workload, round: index + 1, perSecond }));
}

function verdictOf(text: string, results: Result[], scale = 1): string[] {
  return judgeTargets(results, { scale })
    .filter((target) => target.text.includes(text))
    .map(({ verdict, measured }) => (measured ? `${verdict}: ${measured}` : verdict));
}

describe('targets', () => {
  it('are met by the median of the ratios of each round', () => {
    const results = [
      ...aRate('batchyard-sqlite', 'submit50', 10, 50, 30),
      ...aRate('plainjob', 'submit50', 10, 10, 10),
    ];
    expect(verdictOf('SQLite submit', results)).toEqual(['met: 3.00 × (1.00–5.00, 3 rounds)']);
  });

  it('are not met below their ratio', () => {
    const results = [
      ...aRate('batchyard-sqlite', 'submit50', 19),
      ...aRate('plainjob', 'submit50', 10),
    ];
    expect(verdictOf('SQLite submit', results)).toEqual(['**not met**: 1.90 × (one round)']);
  });

  it('are not measured when ours or the peer did not run in the same round', () => {
    const ours = aRate('batchyard-sqlite', 'submit50', 10);
    expect(verdictOf('SQLite submit', ours)).toEqual(['not measured by this run']);
    const later = aRate('plainjob', 'submit50', 10, 10).slice(1);
    expect(verdictOf('SQLite submit', [...ours, ...later])).toEqual(['not measured by this run']);
  });

  it('compare bulk submits with the best peer of each round, and only when all ran', () => {
    const some = [
      ...aRate('batchyard-postgres', 'bulk', 80, 80),
      ...aRate('graphile', 'bulk', 40, 10),
      ...aRate('pg-boss', 'bulk', 10, 20),
    ];
    expect(verdictOf('bulk submit ÷ the best', some)).toEqual(['not measured by this run']);
    const all = [...some, ...aRate('river', 'bulk', 10, 10)];
    expect(verdictOf('bulk submit ÷ the best', all)).toEqual(['met: 3.00 × (2.00–4.00, 2 rounds)']);
  });

  it('let no single round of a backlog fall below half', () => {
    const results = [
      ...aRate('batchyard-postgres', 'backlog10k', 10, 10, 10),
      ...aRate('batchyard-postgres', 'backlog1m', 10, 10, 4),
    ];
    expect(verdictOf('PostgreSQL: rate at 1,000,000', results)).toEqual([
      '**not met**: 1.00 × (0.40–1.00, 3 rounds)',
    ]);
  });

  it('about a million tasks are not judged at small sizes', () => {
    const backlog = aRate('batchyard-sqlite', 'backlog1m', 10);
    const counts = backlog.map((result) => ({ ...result, countsMs: 0.1 }));
    expect(verdictOf('SQLite: counts', counts)).toEqual(['met: 0.10 against 2.00']);
    expect(verdictOf('SQLite: counts', counts, 0.1)).toEqual(['not measured by this run']);
  });
});
