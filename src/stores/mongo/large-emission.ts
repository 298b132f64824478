/**
 * Emissions too large for the document of their task: written beside it first, in parts, and named
 * on the task in the write that ends it. Parts that no task names are nobody's.
 */
import type { Emission } from '../../core/store/index.ts';
import { toPending } from './pending-task.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';

const LARGEST_INLINE = 1024 * 1024;
const LARGEST_PART = 4 * 1024 * 1024;
const MARK = '@';

/** What the task's document will hold: the emissions themselves, or the name of their parts. */
export async function writeEmissions(
  { newToken }: Session,
  { emissions }: Space,
  emit: readonly Emission[],
): Promise<string[]> {
  const texts = emit.map(toPending);
  if (sizeOf(texts) <= LARGEST_INLINE) return texts;
  const name = newToken();
  let part: string[] = [];
  let count = 0;
  const flush = async () => {
    await emissions.insertOne({ _id: `${name}:${String(count).padStart(6, '0')}`, tasks: part });
    part = [];
    count += 1;
  };
  for (const text of texts) {
    if (part.length > 0 && sizeOf(part) + text.length > LARGEST_PART) await flush();
    part.push(text);
  }
  await flush();
  return [MARK + name];
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function partsOf(texts: readonly string[]): object | null {
  const names = texts
    .filter((text) => text.startsWith(MARK))
    .map((text) => text.slice(MARK.length));
  const ranges = names.map((name) => ({ _id: { $gte: `${name}:`, $lt: `${name};` } }));
  return ranges.length === 0 ? null : { $or: ranges };
}

/** One by one: all of them might be more than fits in memory. */
export async function* readEmissions(
  { emissions }: Space,
  texts: readonly string[],
): AsyncGenerator<string> {
  for (const text of texts) {
    const parts = partsOf([text]);
    if (parts === null) yield text;
    else for await (const { tasks } of emissions.find(parts).sort({ _id: 1 })) yield* tasks;
  }
}

export async function dropEmissions({ emissions }: Space, texts: readonly string[]): Promise<void> {
  const parts = partsOf(texts);
  if (parts !== null) await emissions.deleteMany(parts);
}
