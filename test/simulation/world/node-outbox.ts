import type { SettleRequest } from '../../../src/core/index.ts';
import { ofTheNamed } from './attempt-promises.ts';
import type { Network } from './network.ts';
import type { SimProcess } from './sim-process.ts';
import { attend, type World } from './world.ts';

/** Where a node puts what it has to say of ended attempts; what comes together is sent in one call. */
export interface NodeOutbox {
  put(ending: SettleRequest): void;
}

export function createNodeOutbox(world: World, network: Network, process: SimProcess): NodeOutbox {
  const { chance, sometimes } = world;
  let waiting: SettleRequest[] = [];
  let isSending = false;

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const items = waiting;
      waiting = [];
      const answers = await network.callUntilAnswered(process, {
        what: `settle ${items.map(({ taskId, fence }) => `${taskId}/${fence}`).join(' ')}`,
        run: async (engine) => ofTheNamed(items, await engine.attempts.settle(items)),
      });
      for (const { status } of answers ?? []) {
        if (status === 'late' || status === 'lost') sometimes.hit('node told its word came late');
      }
    }
    isSending = false;
  };

  return {
    put(ending) {
      waiting.push(ending);
      if (isSending) return;
      isSending = true;
      process.schedule(chance.between(0, 10), () => attend(world, send()));
    },
  };
}
