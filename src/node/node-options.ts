import {
  type Clock,
  checkNameGiven,
  type Engine,
  invalid,
  type Json,
  type Logger,
  type Random,
  silentLogger,
  systemClock,
  systemRandom,
} from '../core/index.ts';
import type { Handlers } from './handler.ts';
import type { Environment } from './runners/program-environment.ts';

export interface NodeOptions {
  /** Bound to the namespace the node works in. */
  readonly engine: Engine;
  readonly name: string;
  /** Tasks that run at once. */
  readonly slots: number;
  /** By the name that queues call them by. */
  readonly handlers?: Handlers;
  /** Whether queues with a program are served. */
  readonly programs?: boolean;
  /** Only these queues; not said: all. */
  readonly queues?: readonly string[];
  readonly queuesNot?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** What programs inherit from, by allow-list: the app's `process.env`. */
  readonly environment?: Environment;
  /** Not said: each queue's. */
  readonly leaseMs?: number;
  /** Renew at least this often: cancellations are heard with renewals. Not said: a third of the lease. */
  readonly renewMs?: number;
  /** How long `stop` lets running tasks go on. */
  readonly graceMs?: number;
  /** From a task's stop to its end by force. */
  readonly killGraceMs?: number;
  readonly heartbeatMs?: number;
  /** Without a heartbeat for so long, the node counts as dead. */
  readonly ttlMs?: number;
  /** How long an idle node's question for work stays open. */
  readonly waitMs?: number;
  readonly version?: string;
  readonly host?: string;
  readonly pid?: number | null;
  /** Kept with the node and shown, never looked at. */
  readonly data?: Json;
}

export type NodeSettings = Required<Omit<NodeOptions, 'leaseMs' | 'renewMs' | 'queues'>> & {
  readonly leaseMs: number | null;
  readonly renewMs: number | null;
  readonly queues: readonly string[] | null;
};

/** Throws INVALID_REQUEST for options that cannot work. */
export function toNodeSettings(options: NodeOptions): NodeSettings {
  checkNameGiven('node', options.name);
  if (!Number.isSafeInteger(options.slots) || options.slots < 1) {
    throw invalid('slots', `${options.slots} is no number of slots`, 'Use a whole number from 1');
  }
  const settings = { ...DEFAULTS, ...withoutUndefined(options) };
  for (const [name, [min, max]] of DURATIONS) {
    const value = settings[name];
    if (value === null || (Number.isSafeInteger(value) && value >= min && value <= max)) continue;
    const remedy = `Use whole milliseconds from ${min} to ${max}`;
    throw invalid(name, `${value} is no such duration`, remedy);
  }
  return settings;
}

const DAY_MS = 86_400_000;

const DURATIONS = [
  ['leaseMs', [100, DAY_MS]],
  ['renewMs', [10, DAY_MS]],
  ['graceMs', [0, DAY_MS]],
  ['killGraceMs', [0, DAY_MS]],
  ['heartbeatMs', [10, DAY_MS]],
  ['ttlMs', [10, DAY_MS]],
  ['waitMs', [0, 60_000]],
] as const;

const DEFAULTS = {
  handlers: {},
  programs: false,
  queues: null,
  queuesNot: [],
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  environment: {},
  leaseMs: null,
  renewMs: null,
  graceMs: 30_000,
  killGraceMs: 10_000,
  heartbeatMs: 1000,
  ttlMs: 10_000,
  waitMs: 30_000,
  version: '',
  host: '',
  pid: null,
  data: null,
};

/** An option given as undefined is one not given. */
function withoutUndefined<Options extends object>(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Options;
}
