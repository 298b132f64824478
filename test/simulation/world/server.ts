import { createEngine } from '../../../src/core/engine/create-engine.ts';
import type { Engine } from '../../../src/core/engine/engine.ts';
import { BatchError } from '../../../src/core/errors.ts';
import type { SimProcess } from './sim-process.ts';
import { openStoreLink } from './store-link.ts';
import type { World } from './world.ts';

export type Work = (engine: Engine) => Promise<unknown>;
export type Outcome = { readonly answer: unknown } | { readonly error: unknown } | 'refused';

/** A server: the real engine over its own connection to the one store. */
export interface SimServer {
  readonly name: string;
  /** Does the work and says how it ended, unless it dies meanwhile. */
  receive(work: Work, reply: (outcome: Outcome) => void): void;
  /** Dies with all it was doing, and comes back after a while. */
  crash(downMs: number): void;
  pause(ms: number): void;
  /** Goes on or comes back, at once. */
  recover(): void;
}

export function startServer(world: World, name: string): SimServer {
  const { chance, sometimes } = world;
  let process: SimProcess;
  let engine: Engine | null = null;
  let isStarting = false;

  const crash = (downMs: number): void => {
    if (engine === null) return;
    sometimes.hit('server crashed');
    world.note(name, () => `crashes for ${downMs} ms`);
    process.kill();
    engine = null;
    isStarting = true;
    world.time.after(downMs, () => {
      if (isStarting) start();
    });
  };

  const start = (): void => {
    if (engine !== null) return;
    isStarting = false;
    process = world.createProcess(name);
    const host = createEngine({
      store: openStoreLink(world, process, () => crash(chance.between(10, 1500))),
      clock: process.clock,
      random: world.random,
    });
    engine = host.handle();
    // Its first runs are awaited by nobody, as in a server.
    host.maintenance.start().catch(world.fail);
  };

  start();
  return {
    name,
    receive(work, reply) {
      const serving = engine;
      const at = process;
      if (serving === null) {
        if (chance.happens(0.5)) reply('refused');
        return;
      }
      process.receive(() => {
        work(serving).then(
          (answer) => at.isAlive && reply({ answer }),
          (error: unknown) => {
            if (!(error instanceof BatchError)) world.fail(error);
            else if (at.isAlive) reply({ error });
          },
        );
      });
    },
    crash,
    pause(ms) {
      if (engine === null) return;
      sometimes.hit('server paused');
      world.note(name, () => `is stopped for ${ms} ms`);
      process.pause(ms);
    },
    recover() {
      process.resume();
      start();
    },
  };
}
