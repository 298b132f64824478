import type { Claim, Clock, EmitRequest, Json, SettleRequest } from '../../core/index.ts';
import type { TaskContext } from '../handler.ts';
import type { HeldTask } from '../held-task.ts';
import type { OutputPump } from '../output/output-pump.ts';

/** What a task can reach of its node. */
export interface TaskServices {
  readonly clock: Clock;
  /** The task's pump, made when first asked for. */
  outputOf(task: HeldTask): OutputPump;
  /** Tells the engine soon what the task reported. */
  report(task: HeldTask, data: Json): void;
}

/** Made once per task, so it holds nothing but fields until it is asked for more. */
export class HeldTaskContext implements TaskContext {
  readonly task: Claim;
  emitted: EmitRequest[] | undefined = undefined;
  continued: SettleRequest['again'] = undefined;
  readonly #held: HeldTask;
  readonly #services: TaskServices;

  constructor(held: HeldTask, services: TaskServices) {
    this.task = held.claim;
    this.#held = held;
    this.#services = services;
  }

  get fence(): number {
    return this.task.fence;
  }

  get attempt(): number {
    return this.task.tryCount + 1;
  }

  get round(): number {
    return this.task.roundCount;
  }

  get signal(): AbortSignal {
    return this.#held.signal;
  }

  get deadline(): Date | null {
    const { clock } = this.#services;
    const leftMs = this.#held.deadlineMs - clock.monotonicMs();
    return Number.isFinite(leftMs) ? new Date(clock.now().getTime() + leftMs) : null;
  }

  progress(data: Json): void {
    this.#services.report(this.#held, data);
  }

  emit(task: EmitRequest): void {
    this.emitted ??= [];
    this.emitted.push(task);
  }

  again(options: NonNullable<SettleRequest['again']> = {}): void {
    this.continued = options;
  }

  async write(data: string | Uint8Array, stream: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
    const pump = this.#services.outputOf(this.#held);
    // Handlers in JavaScript write anything; a rejection nobody awaits would end the process.
    const bytes = data instanceof Uint8Array ? data : Buffer.from(String(data), 'utf8');
    if (!pump.write(stream, bytes)) await pump.room();
  }
}
