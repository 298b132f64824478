/**
 * Waits until `check` gives something other than false, null or undefined, and gives that.
 * For real processes and sockets only; what our own clock decides is waited for with a fake one.
 */
export async function eventually<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  deadlineMs = 10_000,
): Promise<Exclude<Value, false | null | undefined>> {
  const giveUpAt = performance.now() + deadlineMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const value = await check();
    if (value !== false && value !== null && value !== undefined) {
      return value as Exclude<Value, false | null | undefined>;
    }
    if (performance.now() > giveUpAt) throw new Error(`Not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
