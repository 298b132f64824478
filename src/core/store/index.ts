/** All that a store may see of the core. */
export type { Clock } from '../clock.ts';
export { systemClock } from '../clock.ts';
export type { Attempt, AttemptOutcome, Claim, LateWord } from '../domain/attempt.ts';
export { ATTEMPT_OUTCOMES } from '../domain/attempt.ts';
export type { Finding } from '../domain/finding.ts';
export { fine, problem, warning } from '../domain/finding.ts';
export type { QueueId, TaskId } from '../domain/ids.ts';
export type { Json, JsonObject } from '../domain/json.ts';
export type { TaskKey } from '../domain/key.ts';
export { fromKeyBytes, toKeyBytes } from '../domain/key.ts';
export type { Namespace } from '../domain/namespace.ts';
export type { Node, NodeReport, NodeWish } from '../domain/node.ts';
export type { OutputChunk, OutputStream } from '../domain/output.ts';
export { OUTPUT_STREAMS } from '../domain/output.ts';
export type { Page } from '../domain/page.ts';
export type { AccessToken, Role } from '../domain/principal.ts';
export type { KeyedLimit, Queue, QueueOrder, QueueSettings } from '../domain/queue.ts';
export type {
  HoldReason,
  LiveAttempt,
  OperatorMove,
  Task,
  TaskCounts,
  TaskState,
} from '../domain/task.ts';
export {
  FINAL_STATES,
  isFinal,
  isLive,
  LIVE_STATES,
  noCounts,
  OPERATOR_MOVES,
  TASK_STATES,
} from '../domain/task.ts';
export { BatchError } from '../errors.ts';
export type { Random } from '../random.ts';
export { afterLoss } from '../rules/after-loss.ts';
export { limitKeysOf } from '../rules/limit-keys.ts';
export { rankOf } from '../rules/rank.ts';
export { waitingPlace } from '../rules/waiting-place.ts';
export type * from './archive-store.ts';
export type * from './attempt-store.ts';
export type * from './lease-store.ts';
export type * from './namespace-store.ts';
export type * from './node-store.ts';
export type * from './output-store.ts';
export type * from './queue-store.ts';
export type * from './step.ts';
export type * from './store.ts';
export type * from './task-store.ts';
export type * from './token-store.ts';
