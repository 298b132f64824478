/** The key of a continuous queue's own task: Unix seconds with three decimals. */
export function continuousKey(now: Date): string {
  const ms = now.getTime();
  return `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;
}
