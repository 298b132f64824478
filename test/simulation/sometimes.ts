/**
 * What should happen sometimes: every fault and every interesting path, counted over a
 * run of many seeds. One that never happened is a test that tests nothing.
 */
export interface Sometimes {
  hit(name: string): void;
}

export type SometimesCounts = Map<string, number>;

export function countingSometimes(counts: SometimesCounts): Sometimes {
  return { hit: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1) };
}
