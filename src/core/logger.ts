/** Structured events with ids; who writes them where is the app's affair. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
