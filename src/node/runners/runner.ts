import type { SettleRequest } from '../../core/index.ts';
import type { HeldTask } from '../held-task.ts';

/** How a run ended by its own word; what it was told to do meanwhile may overrule it. */
export interface RunEnd
  extends Pick<
    SettleRequest,
    'output' | 'error' | 'code' | 'final' | 'delayMs' | 'emit' | 'again'
  > {
  readonly outcome: 'succeeded' | 'failed' | 'released';
}

/**
 * Runs tasks: in this process, as a program, or (later) in a warm process.
 *
 * `run` neither throws nor rejects, and its end means that nothing of the run is left.
 * An end that is known at once is given at once, without a promise. A runner that can
 * kill what it runs sets `task.onStop`; the others only have the task's signal, and a run
 * that does not heed it is given up after its grace.
 */
export interface Runner {
  run(task: HeldTask): RunEnd | Promise<RunEnd>;
}
