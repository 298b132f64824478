import { describe, expect, it } from 'vitest';
import { orderOf } from './place.ts';

describe('a place in a queue, as text', () => {
  it('sorts from the highest priority to the lowest, broken and negative ones too', () => {
    const priorities = [2 ** 40, 1e9, 3, 0.25, 0.125, 0, -0.5, -1, -1e9];

    const orders = priorities.map((priority) => orderOf({ priority, rank: '00', id: 'a' }));

    expect(orders.toSorted()).toEqual(orders);
    expect(new Set(orders).size).toBe(orders.length);
  });

  it('takes −0 for 0', () => {
    expect(orderOf({ priority: -0, rank: '', id: 'a' })).toBe(
      orderOf({ priority: 0, rank: '', id: 'a' }),
    );
  });

  it('sorts equal priorities by rank, a rank before those it begins, then by id', () => {
    const places = [
      ['61', 'b'],
      ['6100', 'a'],
      ['61ff', 'a'],
      ['62', 'a'],
      ['62', 'b'],
    ] as const;

    const orders = places.map(([rank, id]) => orderOf({ priority: 0, rank, id }));

    expect(orders.toSorted()).toEqual(orders);
  });
});
