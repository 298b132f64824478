import type { Claim, ClaimRequest, Engine, SettleRequest } from '../../../src/core/index.ts';
import { claimAsPromised, ofTheNamed } from './attempt-promises.ts';
import { type Network, orNull } from './network.ts';
import { drawEnding } from './node-ending.ts';
import { createNodeOutbox } from './node-outbox.ts';
import type { SimProcess } from './sim-process.ts';
import { attend, type World } from './world.ts';

/** A node: claims, starts, renews, writes output and settles, and believes what it was told. */
export interface NodeClient {
  readonly name: string;
  readonly process: SimProcess;
  /** A claim that somebody else made for it. */
  accept(claim: Claim): void;
  crash(): void;
}

interface Run {
  readonly claim: Claim;
  /** Its lease is not kept. */
  readonly isNeglected: boolean;
  isOver: boolean;
}

export interface NodeOptions {
  readonly world: World;
  readonly network: Network;
  readonly name: string;
  readonly queues: readonly string[];
  readonly onCrash: () => void;
}

const SLOTS = 4;

export function startNode({ world, network, name, queues, onCrash }: NodeOptions): NodeClient {
  const { chance, sometimes } = world;
  const process = world.createProcess(name);
  const runs = new Map<string, Run>();
  const outbox = createNodeOutbox(world, network, process);

  const crash = (): void => {
    if (!process.isAlive) return;
    sometimes.hit(runs.size > 0 ? 'node crashed with tasks' : 'node crashed idle');
    world.note(name, () => `crashes with ${runs.size} tasks`);
    process.kill();
    onCrash();
  };

  const drop = (run: Run): void => {
    run.isOver = true;
    if (runs.get(run.claim.taskId) === run) runs.delete(run.claim.taskId);
  };

  const end = (run: Run, ending: SettleRequest): void => {
    drop(run);
    outbox.put(ending);
  };

  const begin = async (claim: Claim, isStarted: boolean): Promise<void> => {
    const run: Run = { claim, isNeglected: !world.isCalm && chance.happens(0.1), isOver: false };
    const ref = { taskId: claim.taskId, fence: claim.fence };
    runs.set(claim.taskId, run);
    if (!isStarted) {
      const answers = await network.callUntilAnswered(process, {
        what: `start ${ref.taskId}/${ref.fence}`,
        run: async (engine) => ofTheNamed([ref], await engine.attempts.start([ref])),
      });
      if (answers?.[0]?.status !== 'held') return drop(run);
    }
    const leaseMs = claim.expiresAt.getTime() - claim.claimedAt.getTime();
    const workMs = run.isNeglected ? leaseMs + chance.between(0, 300) : chance.between(0, leaseMs);
    await process.sleep(workMs / 2);
    if (chance.happens(0.25)) attend(world, write(run));
    await process.sleep(workMs / 2);
    if (run.isOver) return;
    const ending = drawEnding(world, claim, queues);
    if (ending === 'crash') return crash();
    if (run.isNeglected) sometimes.hit('node alive past its lease');
    // The runner and its guard may both report, each in its own words.
    const second = world.isCalm || chance.happens(0.9) ? null : drawEnding(world, claim, queues);
    end(run, ending);
    if (second === null || second === 'crash') return;
    sometimes.hit('two words on one attempt');
    await process.sleep(chance.between(0, 400));
    end(run, { ...second, emit: [] });
  };

  const write = async ({ claim }: Run): Promise<void> => {
    const bytes = Uint8Array.from([1, 2, 3]);
    await orNull(
      network.call(process, {
        what: `output ${claim.taskId}/${claim.fence}`,
        run: (engine) =>
          engine.outputs.append(claim.taskId, claim.fence, [
            { number: 1, stream: 'stdout', offset: 0, bytes },
          ]),
      }),
      'LEASE_LOST',
    );
  };

  const renew = async (): Promise<void> => {
    for (;;) {
      await process.sleep(world.plan.leaseMs / 3);
      const kept = [...runs.values()].filter(({ isNeglected, isOver }) => !isNeglected && !isOver);
      if (kept.length === 0) continue;
      const items = kept.map(({ claim }) => ({
        taskId: claim.taskId,
        fence: claim.fence,
        ...(chance.happens(0.8) && { leaseMs: world.plan.leaseMs }),
        ...(!world.isCalm && chance.happens(0.02) && { leaseMs: 0 }),
        ...(chance.happens(0.2) && { data: { done: chance.between(1, 99) } }),
      }));
      const answers = await orNull(
        network.call(process, {
          what: `renew ${items.map(({ taskId, fence }) => `${taskId}/${fence}`).join(' ')}`,
          run: async (engine) => ofTheNamed(items, await engine.attempts.renew(items)),
        }),
      );
      for (const { taskId, fence, status } of answers ?? []) {
        const run = runs.get(taskId);
        if (!run || run.claim.fence !== fence || run.isOver) continue;
        if (status === 'lost') drop(run);
        if (status === 'cancelled') end(run, { taskId, fence, outcome: 'cancelled' });
      }
    }
  };

  const claim = async (): Promise<void> => {
    let isIdle = false;
    for (;;) {
      await process.sleep(isIdle ? chance.between(50, world.plan.idleMs) : chance.between(5, 50));
      const free = SLOTS - runs.size;
      if (free < 1) continue;
      const waitMs = world.plan.idleMs > 1000 ? 0 : chance.oneOf([0, 0, 400]);
      const hasToken = chance.happens(0.85);
      const request: ClaimRequest = {
        node: name,
        limit: chance.between(1, free),
        start: chance.happens(0.6),
        oneQueue: chance.happens(0.2),
        waitMs,
        ...(chance.happens(0.2) && { leaseMs: chance.between(100, 2 * world.plan.leaseMs) }),
        ...(hasToken && { token: world.uniqueName('token') }),
      };
      const call = {
        what: `claim ${request.limit} ${request.token ?? ''}`,
        timeoutMs: waitMs + chance.between(50, 400),
        run: (engine: Engine) => claimAsPromised(world, engine, request),
      };
      const answer = hasToken
        ? await network.callUntilAnswered(process, call)
        : await orNull(network.call(process, call));
      isIdle = answer?.claims.length === 0;
      for (const one of answer?.claims ?? []) attend(world, begin(one, request.start ?? true));
    }
  };

  const beat = async (): Promise<void> => {
    for (;;) {
      await orNull(
        network.call(process, {
          what: 'heartbeat',
          run: (engine) => engine.nodes.heartbeat(name, { slots: SLOTS }, { ttlMs: 3000 }),
        }),
      );
      await process.sleep(1200);
    }
  };

  for (const loop of [claim, renew, beat]) attend(world, loop());
  return {
    name,
    process,
    crash,
    accept: (given) => process.schedule(0, () => attend(world, begin(given, false))),
  };
}
