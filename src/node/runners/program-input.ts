import type { Json, TaskKey } from '../../core/index.ts';
import type { HeldTask } from '../held-task.ts';

/** The one line of JSON that a program gets on stdin. */
export function programInput({ claim, queue }: HeldTask): string {
  const input: Json = {
    id: claim.taskId,
    namespace: queue.namespace,
    queue: claim.queue,
    key: toJsonKey(claim.key),
    params: claim.params,
    labels: claim.labels,
    priority: claim.priority,
    fence: claim.fence,
    attempt: claim.tryCount + 1,
    round: claim.roundCount,
    maxRunMs: queue.maxRunMs,
  };
  return `${JSON.stringify(input)}\n`;
}

function toJsonKey(key: TaskKey | null): Json {
  if (key === null || typeof key === 'string') return key;
  return { $bytes: Buffer.from(key).toString('base64') };
}
