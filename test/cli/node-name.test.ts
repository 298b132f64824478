import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { chooseNodeName } from '../../src/app/node-name.ts';
import { openYard } from './support/yard.ts';

describe("a node's name", () => {
  it("is the machine's, or the next number beside live nodes of that name", async () => {
    await using yard = await openYard();
    const { nodes } = yard.engine;

    expect(await chooseNodeName(yard.engine, null)).toBe(hostname());
    await nodes.heartbeat(hostname());
    expect(await chooseNodeName(yard.engine, null)).toBe(`${hostname()}-2`);
    await nodes.heartbeat(`${hostname()}-2`);
    expect(await chooseNodeName(yard.engine, null)).toBe(`${hostname()}-3`);
    await nodes.deactivate(hostname());
    expect(await chooseNodeName(yard.engine, null)).toBe(hostname());
  });

  it('is free again when the process that had it is gone', async () => {
    await using yard = await openYard();
    const { pid } = spawnSync('true');

    await yard.engine.nodes.heartbeat('worker', { host: hostname(), pid });
    expect(await chooseNodeName(yard.engine, 'worker')).toBe('worker');

    await yard.engine.nodes.heartbeat('worker', { host: hostname(), pid: process.ppid });
    await expect(chooseNodeName(yard.engine, 'worker')).rejects.toThrow(
      `A node named "worker" is live already on ${hostname()}.`,
    );
  });
});
