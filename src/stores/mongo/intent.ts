/**
 * What a submission of several tasks is going to do, written before it is done: all of it is done
 * in the end, whoever dies meanwhile.
 */

import type { PendingTask } from './pending-task.ts';
import { toPending } from './pending-task.ts';
import type { Space } from './spaces.ts';

/** Larger ones are written without: a document holds no more than 16 MB. */
const LARGEST = 12 * 1024 * 1024;

export async function underIntent<Answer>(
  { intents }: Space,
  { name, now, tasks }: { readonly name: string; now: number; tasks: readonly PendingTask[] },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const texts = tasks.length > 1 ? tasks.map(toPending) : [];
  const size = texts.reduce((sum, text) => sum + 3 * text.length + 16, 0);
  if (texts.length === 0 || size > LARGEST) return run();
  await intents.insertOne({ _id: name, now: new Date(now), tasks: texts });
  const answer = await run();
  await intents.deleteOne({ _id: name });
  return answer;
}
