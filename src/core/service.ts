/**
 * Whatever runs: nodes, servers, doors, maintenance.
 *
 * `start` resolves when it is ready to serve and rejects when it cannot be.
 * `stop` drains and resolves when nothing of it runs any more; it may be called
 * twice, before `start`, or during it.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts in order, stops in reverse; a failing start stops those already started. */
export function serviceGroup(name: string, services: readonly Service[]): Service {
  const started: Service[] = [];
  const stop = async (): Promise<void> => {
    for (let service = started.pop(); service; service = started.pop()) await service.stop();
  };
  return {
    name,
    stop,
    async start() {
      for (const service of services) {
        started.push(service);
        try {
          await service.start();
        } catch (error) {
          await stop();
          throw error;
        }
      }
    },
  };
}
