import { toDocumentId } from './ids.ts';
import type { Space } from './spaces.ts';
import { toStoredText } from './texts.ts';
import type { Work } from './transitions.ts';

/** Keeps what the step has begun, and forgets a little of what is over. */
export async function addStarts({ starts }: Space, work: Work): Promise<void> {
  const begun = work.starts.splice(0);
  if (begun.length === 0) return;
  await starts.insertMany(
    begun.map(({ queueId, name, key, at, perMs }) => ({
      queue: toDocumentId(queueId),
      name: toStoredText(name),
      key: toStoredText(key),
      at: new Date(at),
      until: new Date(at + perMs),
    })),
  );
  // Not at once: a rate may be read again at an earlier instant by a step that began before.
  const over = { until: { $lte: new Date(work.now - 60_000) } };
  const old = await starts
    .find(over, { projection: { _id: 1 } })
    .limit(begun.length + 100)
    .toArray();
  if (old.length > 0) await starts.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
}
