import type { Random } from '../../src/core/random.ts';

/** Choices drawn from the one source of a run. */
export interface Chance {
  happens(probability: number): boolean;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

export function createChance(random: Random): Chance {
  const between = (least: number, most: number): number =>
    least + Math.floor(random.next() * (most - least + 1));
  return {
    between,
    happens: (probability) => probability > 0 && random.next() < probability,
    oneOf<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error('Nothing to choose from.');
      return items[between(0, items.length - 1)] as Item;
    },
  };
}
