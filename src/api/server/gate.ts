/** Open until the server stops: then new requests are refused and waiting ones end. */
export interface Gate {
  readonly isClosed: boolean;
  /** Aborts when the gate closes. */
  readonly signal: AbortSignal;
  close(): void;
}

export function createGate(): Gate {
  const controller = new AbortController();
  return {
    get isClosed() {
      return controller.signal.aborted;
    },
    signal: controller.signal,
    close: () => controller.abort(),
  };
}
