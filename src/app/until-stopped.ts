/** What runs until it is told to stop. */
export interface Stoppable {
  stop(): Promise<void>;
  /** Called while `stop` is under way: do not wait for what runs. */
  hurry(): void;
}

/** Resolves when it has stopped: in good order after `stop`, sooner after `hurry`. Says whether it was hurried. */
export async function runUntilStopped(
  running: Stoppable,
  signals: { readonly stop: AbortSignal; readonly hurry: AbortSignal },
): Promise<{ readonly isHurried: boolean }> {
  await aborted(signals.stop);
  const onHurry = (): void => running.hurry();
  signals.hurry.addEventListener('abort', onHurry, { once: true });
  const stopping = running.stop();
  if (signals.hurry.aborted) onHurry();
  await stopping;
  signals.hurry.removeEventListener('abort', onHurry);
  return { isHurried: signals.hurry.aborted };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
