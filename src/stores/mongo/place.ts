/**
 * A task's place in its queue as one text that sorts by priority, then rank, then id. One
 * ascending index serves every order.
 */
export interface Place {
  readonly priority: number;
  /** Hex digits, which sort as their bytes do. */
  readonly rank: string;
  readonly id: string;
}

export function orderOf({ priority, rank, id }: Place): string {
  // The mark between sorts before every digit, so that a rank that begins another comes first.
  return `${descending(priority)}${rank}!${id}`;
}

const SIGN = 1n << 63n;
const ALL = (1n << 64n) - 1n;
const view = new DataView(new ArrayBuffer(8));

/** Digits that sort from the highest number to the lowest. */
function descending(priority: number): string {
  if (priority === 0) return '7fffffffffffffff';
  view.setFloat64(0, priority);
  const bits = view.getBigUint64(0);
  const ascending = bits & SIGN ? ~bits & ALL : bits | SIGN;
  return (~ascending & ALL).toString(16).padStart(16, '0');
}
