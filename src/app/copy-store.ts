import {
  type ArchiveProgress,
  type CopyAnswer,
  copyArchive,
} from '../core/archive/copy-archive.ts';
import { invalid } from '../core/index.ts';
import { type ArchiveContext, checkThere, openArchive } from './open-archive.ts';
import { formatStoreAddress, type StoreAddress } from './store-address.ts';

/** What a long command is told, and what it tells. */
export interface ArchiveRun extends ArchiveContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ArchiveProgress, totalTasks: number | null) => void;
}

export interface StoreCopy {
  readonly from: StoreAddress;
  readonly to: StoreAddress;
  readonly namespaces: readonly string[] | null;
  readonly drain: boolean;
}

export async function copyStore(copy: StoreCopy, run: ArchiveRun): Promise<CopyAnswer> {
  const { from, to, namespaces, drain } = copy;
  if (formatStoreAddress(from) === formatStoreAddress(to)) {
    throw invalid('--to', 'that is the store to copy from', 'Name another one');
  }
  checkThere(from);
  await using source = await openArchive(from, run);
  await using destination = await openArchive(to, run);
  const total = await countTasks(source, namespaces);
  return await copyArchive({
    from: source,
    to: destination,
    namespaces,
    drain,
    clock: run.clock,
    signal: run.signal,
    onProgress: (progress) => run.onProgress(progress, total),
  });
}

type Counting = Pick<Awaited<ReturnType<typeof openArchive>>, 'queues'>;

/** Only for the eye: tasks of deleted queues are left out. */
export async function countTasks(
  { queues }: Counting,
  namespaces: readonly string[] | null,
): Promise<number> {
  const all = await queues.counts(null, { now: null });
  return all
    .filter(({ namespace }) => namespaces === null || namespaces.includes(namespace))
    .flatMap(({ counts }) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);
}
