import { type DocumentId, toDocumentId } from './ids.ts';
import type { Space } from './spaces.ts';

const AT_ONCE = 1000;

/** Deletes tasks, then what they wrote; says how many. */
export async function deleteTasks(
  space: Space,
  ids: readonly string[],
  condition: object,
): Promise<number> {
  let count = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map(toDocumentId);
    const filter = { $and: [{ _id: { $in: some } }, condition] };
    count += await space.counts.during(async () => {
      const { deletedCount } = await space.tasks.deleteMany(filter as object);
      return { answer: deletedCount, moves: null };
    });
    await deleteOutput(space, some);
  }
  return count;
}

/** Of tasks that are gone; one that a condition spared keeps its own. */
async function deleteOutput(space: Space, ids: readonly DocumentId[]): Promise<void> {
  const kept = await space.tasks
    .find({ _id: { $in: ids as DocumentId[] } }, { projection: { _id: 1 } })
    .toArray();
  const spared = new Set(kept.map(({ _id }) => String(_id)));
  const gone = ids.filter((id) => !spared.has(String(id)));
  if (gone.length === 0) return;
  await space.output.deleteMany({ task: { $in: gone } });
  await space.archive.deleteMany({ task: { $in: gone } });
  const files = space.db.collection('tasks.files');
  const wrote = { filename: { $in: ['stdout', 'stderr'] }, 'metadata.task_id': { $in: gone } };
  const found = await files.find(wrote, { projection: { _id: 1 } }).toArray();
  if (found.length === 0) return;
  const fileIds = found.map(({ _id }) => _id);
  await space.db.collection('tasks.chunks').deleteMany({ files_id: { $in: fileIds } });
  await files.deleteMany({ _id: { $in: fileIds } });
}
