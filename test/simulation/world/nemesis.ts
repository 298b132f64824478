import type { Network } from './network.ts';
import type { NodeClient } from './node-client.ts';
import type { SimServer } from './server.ts';
import type { World } from './world.ts';

export interface NemesisOptions {
  readonly world: World;
  readonly network: Network;
  readonly servers: readonly SimServer[];
  readonly nodes: () => readonly NodeClient[];
}

/** Whatever can go wrong from outside, as often as the plan says, until the calm. */
export function startNemesis({ world, network, servers, nodes }: NemesisOptions): void {
  const { time, chance, random, sometimes, plan } = world;
  const { faults, leaseMs } = plan;

  const often = (perSecond: number, act: () => void): void => {
    if (perSecond <= 0) return;
    const again = (): void => {
      time.after((random.next() * 2000) / perSecond, () => {
        if (world.isCalm) return;
        act();
        again();
      });
    };
    again();
  };

  often(faults.serverCrashes, () => chance.oneOf(servers).crash(chance.between(10, 1500)));
  often(faults.serverPauses, () => chance.oneOf(servers).pause(chance.between(10, 2 * leaseMs)));
  often(faults.nodeCrashes, () => chance.oneOf(nodes()).crash());
  often(faults.nodePauses, () => {
    const { process } = chance.oneOf(nodes());
    const ms = chance.between(10, 3 * leaseMs);
    sometimes.hit(ms > leaseMs ? 'node paused beyond its lease' : 'node paused');
    world.note(process.name, () => `is stopped for ${ms} ms`);
    process.pause(ms);
  });
  often(faults.partitions, () => {
    const node = chance.oneOf(nodes()).name;
    const server = chance.oneOf(servers).name;
    const ms = chance.between(50, 2 * leaseMs);
    if (chance.happens(0.5)) network.cut(server, node, ms);
    else network.cut(node, server, ms);
  });
}
