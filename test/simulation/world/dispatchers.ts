/** Those who give tasks out instead of waiting to be asked: controllers of a gated queue, and dispatchers. */
import { doesWait } from '../shadow/shadow-record.ts';
import { type Network, orNull } from './network.ts';
import type { NodeClient } from './node-client.ts';
import { attend, type World } from './world.ts';

const GATE = 'gate';

/** Two controllers contend for one lease; who holds it admits tasks under its term. */
export function startControllers(world: World, network: Network, queue: string): void {
  const { chance } = world;
  for (const name of ['controller-1', 'controller-2']) {
    const process = world.createProcess(name);
    const run = async (): Promise<void> => {
      while (!world.isCalm) {
        await process.sleep(chance.between(50, 300));
        const lease = await orNull(
          network.call(process, {
            what: 'acquire gate',
            run: (engine) => engine.leases.acquire(GATE, { holder: name, ttlMs: 500 }),
          }),
        );
        if (!lease?.held) continue;
        // Long enough, at times, for another to have taken over.
        await process.sleep(chance.oneOf([0, 50, 700]));
        const request = { limit: chance.between(1, 4), lease: { name: GATE, term: lease.term } };
        await orNull(
          network.call(process, {
            what: `admit ${request.limit} under term ${lease.term}`,
            run: (engine) => engine.queues.admit(queue, request),
          }),
          'LEASE_HELD',
          'QUEUE_NOT_FOUND',
          'INVALID_REQUEST',
        );
        if (chance.happens(0.2)) {
          await orNull(
            network.call(process, {
              what: 'release gate',
              run: (engine) => engine.leases.release(GATE, name),
            }),
          );
        }
      }
    };
    attend(world, run());
  }
}

/** Gives waiting tasks to nodes by name: to the least loaded, or by force. */
export function startDispatcher(
  world: World,
  network: Network,
  nodes: () => readonly NodeClient[],
): void {
  const { chance, shadow } = world;
  const process = world.createProcess('dispatcher');
  const deliver = (name: string, claim: Parameters<NodeClient['accept']>[0]): void => {
    const node = nodes().find((one) => one.name === name);
    if (node && chance.happens(0.9)) node.accept(claim);
  };
  const run = async (): Promise<void> => {
    while (!world.isCalm) {
      await process.sleep(chance.between(50, 400));
      const waiting = [...shadow.tasks.values()].filter(doesWait);
      if (waiting.length === 0) continue;
      const { id } = chance.oneOf(waiting);
      if (chance.happens(0.3)) {
        const node = chance.oneOf(nodes()).name;
        const request = { node, start: false, force: chance.happens(0.5) };
        const claim = await orNull(
          network.call(process, {
            what: `claim ${id} for ${node}`,
            run: (engine) => engine.attempts.claimTask(id, request),
          }),
          'TASK_NOT_FOUND',
          'TASK_STATE',
        );
        if (claim) deliver(node, claim);
        continue;
      }
      const candidates = nodes().map(({ name }) => name);
      const assigned = await orNull(
        network.call(process, {
          what: `assign ${id}`,
          run: (engine) => engine.attempts.assign(id, { candidates }),
        }),
        'TASK_NOT_FOUND',
        'TASK_STATE',
      );
      if (assigned) deliver(assigned.node, assigned.claim);
    }
  };
  attend(world, run());
}
