/** The package's public face. */
export { connectEngine } from '../client/connect-engine.ts';
export * from '../core/index.ts';
export { FinalError } from '../node/final-error.ts';
export type { HandlerReturn, TaskContext } from '../node/handler.ts';
export type { StandardSchema } from '../node/standard-schema.ts';
export { type ResultParts, result, type TaskResult } from '../node/task-result.ts';
export { defineHandler, type NamedHandler } from './define-handler.ts';
export {
  type Batchyard,
  type BatchyardOptions,
  openBatchyard,
  type SubmitOptions,
} from './open-batchyard.ts';
