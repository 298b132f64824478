import type { Chance } from '../chance.ts';

/** How hard a run is, drawn from its seed. Probabilities are per message, rates per second of virtual time. */
export interface Plan {
  /** Faults stop at 60 % of the run, and then everything must end. */
  readonly mode: 'safety' | 'liveness';
  readonly durationMs: number;
  readonly serverCount: number;
  readonly nodeCount: number;
  readonly submitterCount: number;
  readonly queueCount: number;
  /** Submissions per submitter. */
  readonly submissionCount: number;
  readonly leaseMs: number;
  /** How long a node that got nothing waits at most before it asks again. */
  readonly idleMs: number;
  readonly network: NetworkPlan;
  readonly faults: FaultPlan;
  /** The longest way between a server and the store. */
  readonly storeDelayMs: number;
  /** Chance that heads are answered from memory, where the contract allows it. */
  readonly staleHeads: number;
  readonly operatorEveryMs: number;
  readonly hasControllers: boolean;
  readonly hasDispatcher: boolean;
  readonly hasContinuous: boolean;
}

export interface NetworkPlan {
  readonly loss: number;
  readonly duplication: number;
  /** Chance of a long delay, and how long it is at most. */
  readonly delay: number;
  readonly longestDelayMs: number;
}

export interface FaultPlan {
  readonly serverCrashes: number;
  /** Chance that a server dies right before or after a step that writes. */
  readonly stepCrashes: number;
  readonly serverPauses: number;
  readonly nodeCrashes: number;
  readonly nodePauses: number;
  readonly partitions: number;
  /** Chance that a step's connection breaks, before or after the step. */
  readonly storeBreaks: number;
  readonly lostWakeups: number;
}

const CALM: FaultPlan = {
  serverCrashes: 0,
  stepCrashes: 0,
  serverPauses: 0,
  nodeCrashes: 0,
  nodePauses: 0,
  partitions: 0,
  storeBreaks: 0,
  lostWakeups: 0,
};

export const PERFECT_NETWORK: NetworkPlan = {
  loss: 0,
  duplication: 0,
  delay: 0,
  longestDelayMs: 0,
};

export function drawPlan(chance: Chance): Plan {
  const intensity = chance.oneOf([0, 0.3, 0.6, 1, 1, 1.6]);
  const leaseMs = chance.oneOf([200, 400, 800, 1500]);
  const some = (most: number): number =>
    chance.happens(0.7) ? (most * intensity * chance.between(1, 10)) / 10 : 0;
  return {
    mode: chance.oneOf(['safety', 'liveness']),
    durationMs: chance.between(1500, 3500),
    serverCount: chance.between(1, 3),
    nodeCount: chance.oneOf([2, 2, 3, 3, 4, 5]),
    submitterCount: chance.between(1, 3),
    queueCount: chance.between(1, 3),
    submissionCount: chance.between(2, 6),
    leaseMs,
    idleMs: chance.oneOf([500, 500, 500, 3000]),
    network:
      intensity === 0
        ? PERFECT_NETWORK
        : {
            loss: some(0.2),
            duplication: some(0.25),
            delay: some(0.2),
            longestDelayMs: chance.oneOf([100, 1000, 3 * leaseMs]),
          },
    faults:
      intensity === 0
        ? CALM
        : {
            serverCrashes: some(0.5),
            stepCrashes: some(0.006),
            serverPauses: some(0.3),
            nodeCrashes: some(0.8),
            nodePauses: some(0.8),
            partitions: some(0.6),
            storeBreaks: some(0.03),
            lostWakeups: some(0.5),
          },
    storeDelayMs: chance.oneOf([1, 3, 3, 30]),
    staleHeads: chance.oneOf([0, 0.5, 0.9]),
    operatorEveryMs: chance.oneOf([100, 300, 1000, 100_000]),
    hasControllers: chance.happens(0.3),
    hasDispatcher: chance.happens(0.25),
    hasContinuous: chance.happens(0.25),
  };
}
