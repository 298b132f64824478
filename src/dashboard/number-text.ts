const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

export function countText(count: number): string {
  return whole.format(count);
}

/** A number of things: `1 task`, `12,000 tasks`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

export function rateText(perSecond: number): string {
  return perSecond < 10 ? tenths.format(perSecond) : whole.format(perSecond);
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${tenths.format(bytes / 1024)} KiB`;
  if (bytes < 1024 ** 3) return `${tenths.format(bytes / 1024 ** 2)} MiB`;
  return `${tenths.format(bytes / 1024 ** 3)} GiB`;
}
