import type { Claim, Json, Queue } from '../core/index.ts';
import type { OutputPump } from './output/output-pump.ts';

/**
 * Why a task was told to stop. It decides the outcome, whatever the run says
 * afterwards; `lost` means that nothing more may be written.
 */
export type StopReason = 'cancelled' | 'timed-out' | 'released' | 'lost';

export interface Stop {
  readonly reason: StopReason;
  /** How long it may take to end by itself before it is killed. */
  readonly graceMs: number;
}

/** What `signal.reason` is in a handler. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The task was told to stop: ${reason}.`);
    this.reason = reason;
  }
}

export interface Lease {
  readonly lengthMs: number;
  /** By the process's monotonic clock, as all `…Ms` instants here. */
  readonly endMs: number;
  readonly renewAtMs: number;
}

/** `closing`: the run is over and its output is on its way. `ended`: its end was handed on, or it was lost. */
export type HeldPhase = 'waiting' | 'running' | 'closing' | 'ended';

/**
 * A task this node holds, from the claim until it is settled or lost.
 *
 * A class with plain fields: one is made per task, and tens of thousands pass in a
 * second. What few tasks need (signal, output) is made when first asked for.
 */
export class HeldTask {
  readonly claim: Claim;
  readonly queue: Queue;
  readonly takenMs: number;
  readonly leaseMs: number;
  leaseEndMs: number;
  renewAtMs: number;
  phase: HeldPhase = 'waiting';
  /** When the queue's longest run time is over. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** When a run that cannot be killed is given up. */
  abandonMs = Number.POSITIVE_INFINITY;
  /** What `progress` said and no renewal has told yet. */
  report: Json | undefined = undefined;
  stopped: StopReason | null = null;
  output: OutputPump | null = null;
  /** Set by runners that can kill what they run. */
  onStop: ((stop: Stop) => void) | null = null;
  #controller: AbortController | null = null;

  constructor(claim: Claim, queue: Queue, takenMs: number, lease: Lease) {
    this.claim = claim;
    this.queue = queue;
    this.takenMs = takenMs;
    this.leaseMs = lease.lengthMs;
    this.leaseEndMs = lease.endMs;
    this.renewAtMs = lease.renewAtMs;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.stopped) this.#controller.abort(new TaskStopped(this.stopped));
    }
    return this.#controller.signal;
  }

  /** The first reason stands, but for `lost`, which overrides any. False: it changed nothing. */
  stop(stop: Stop): boolean {
    if (this.phase === 'ended' || this.stopped === 'lost') return false;
    const isLate = this.stopped !== null || this.phase === 'closing';
    if (isLate && stop.reason !== 'lost') return false;
    this.stopped = stop.reason;
    if (stop.reason === 'lost') this.output?.abandon();
    this.#controller?.abort(new TaskStopped(stop.reason));
    this.onStop?.(stop);
    return true;
  }
}
