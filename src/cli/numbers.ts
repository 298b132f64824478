const grouped = new Intl.NumberFormat('en-US');

/** `12,345` */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** `1 task`, `12,345 tasks` */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `12.5/s`; slow ones per minute. */
export function formatRate(perSecond: number): string {
  if (perSecond >= 100) return `${formatCount(Math.round(perSecond))}/s`;
  if (perSecond >= 1 || perSecond === 0) return `${Number(perSecond.toFixed(1))}/s`;
  return `${Number((perSecond * 60).toFixed(1))}/min`;
}
