import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { takeNodeName } from '../../src/app/node-name.ts';
import { systemRandom } from '../../src/core/index.ts';
import { openYard } from './support/yard.ts';

describe("a node's name", () => {
  it("is the machine's, or the next number beside live nodes of that name", async () => {
    await using yard = await openYard();
    const { nodes } = yard.engine;

    expect(await takeNodeName(yard.engine, null, systemRandom)).toBe(hostname());
    expect(await takeNodeName(yard.engine, null, systemRandom)).toBe(`${hostname()}-2`);
    expect(await takeNodeName(yard.engine, null, systemRandom)).toBe(`${hostname()}-3`);
    await nodes.deactivate(hostname());
    expect(await takeNodeName(yard.engine, null, systemRandom)).toBe(hostname());
  });

  it('is its own of each of many that start at once', async () => {
    await using yard = await openYard();

    const names = await Promise.all(
      Array.from({ length: 8 }, () => takeNodeName(yard.engine, null, systemRandom)),
    );

    expect(new Set(names).size).toBe(8);
  });

  it('is free again when the process that had it is gone', async () => {
    await using yard = await openYard();
    const { pid } = spawnSync('true');

    await yard.engine.nodes.heartbeat('worker', { host: hostname(), pid });
    expect(await takeNodeName(yard.engine, 'worker', systemRandom)).toBe('worker');

    await yard.engine.nodes.heartbeat('worker', { host: hostname(), pid: process.ppid });
    await expect(takeNodeName(yard.engine, 'worker', systemRandom)).rejects.toThrow(
      `A node named "worker" is live already on ${hostname()}.`,
    );
  });
});
