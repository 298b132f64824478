import { describe, expect, it } from 'vitest';
import { readOptions } from './options.mjs';

describe('bench options', () => {
  it('take every store, workload and peer when nothing is said', () => {
    const { adapters, workloads, stores } = readOptions([]);
    expect(stores).toEqual(['sqlite', 'postgres', 'mongo']);
    expect(workloads).toHaveLength(8);
    expect(adapters).toHaveLength(13);
  });

  it('leave out peers, and so downloads, with --ours', () => {
    expect(readOptions(['--ours', '--stores', 'postgres']).adapters).toEqual([
      'batchyard-postgres',
      'raw-postgres',
    ]);
  });

  it.each([
    [['--only', 'drain11'], /--only: there is no drain11\. Use submit1, /],
    [['--stores', 'oracle'], /--stores: there is no oracle\. Use sqlite, /],
    [['--rounds', '1.5'], /--rounds: "1.5" will not do\. Give a whole number/],
    [['--scale', '0'], /--scale: "0" will not do\. Give a number above 0, at most 1/],
    [['--floor', ''], /--floor: "" will not do/],
  ])('refuse %j and say what would do', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
