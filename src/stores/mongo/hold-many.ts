/** Starts and renewals that many attempts have in common, written by one update each. */
import type { AttemptRef, HoldAnswer, RenewItem } from '../../core/store/index.ts';
import { hiddenQueueIds } from './hidden-queues.ts';
import { type DocumentId, fromDocumentId, toDocumentId } from './ids.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import type { TaskDocument } from './task-document.ts';
import type { Work } from './transitions.ts';

const FEWEST = 2;
const CLAIMED = -1;
const RUNNING = 0;

interface Holding<Item> {
  readonly space: Space;
  readonly items: readonly Item[];
}

/** The answers of those that it started; the others are left to be looked at one by one. */
export async function startMany(
  session: Session,
  { space, items }: Holding<AttemptRef>,
  { now }: Work,
): Promise<Map<string, HoldAnswer>> {
  const at = new Date(now);
  const groups = groupsOf(items, ({ fence }) => (fence === null ? null : String(fence)));
  return holdGroups(session, { space, groups }, ({ fence }) => ({
    filter: { status: CLAIMED, 'batchyard.fence': fence, 'batchyard.cancelRequestedAt': null },
    set: { status: RUNNING, mtime: at, 'batchyard.live.startedAt': at },
    isStart: true,
  }));
}

/** A claimed task's renewal shows in its mtime as well, and is left to be looked at by itself. */
export async function renewMany(
  session: Session,
  { space, items }: Holding<RenewItem>,
  { now }: Work,
): Promise<Map<string, HoldAnswer>> {
  const groups = groupsOf(items, ({ fence, leaseMs, data }) =>
    fence === null || leaseMs <= 0 || data !== undefined ? null : `${fence} ${leaseMs}`,
  );
  return holdGroups(session, { space, groups }, ({ fence, leaseMs }) => {
    const expiresAt = new Date(now + leaseMs);
    return {
      filter: {
        status: RUNNING,
        'batchyard.fence': fence,
        'batchyard.live.expiresAt': { $type: 'date' },
      },
      set: { 'batchyard.live.expiresAt': expiresAt, 'batchyard.due': expiresAt },
      isStart: false,
    };
  });
}

/** Items of each group differ in their task only; a task that comes twice is in none. */
function groupsOf<Item extends AttemptRef>(
  items: readonly Item[],
  nameOf: (item: Item) => string | null,
): Item[][] {
  const seen = new Map<string, number>();
  for (const { taskId } of items) seen.set(taskId, (seen.get(taskId) ?? 0) + 1);
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    if (name === null || seen.get(item.taskId) !== 1) continue;
    const group = groups.get(name) ?? [];
    group.push(item);
    groups.set(name, group);
  }
  return [...groups.values()].filter((group) => group.length >= FEWEST);
}

interface GroupWrite {
  readonly filter: object;
  readonly set: Readonly<Record<string, unknown>>;
  readonly isStart: boolean;
}

async function holdGroups<Item extends AttemptRef>(
  session: Session,
  { space, groups }: { readonly space: Space; readonly groups: readonly Item[][] },
  writeOf: (first: Item) => GroupWrite,
): Promise<Map<string, HoldAnswer>> {
  const answers = new Map<string, HoldAnswer>();
  if (groups.length === 0) return answers;
  const hidden = await hiddenQueueIds(space);
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ taskId }) => toDocumentId(taskId));
    for (const held of await holdGroup(session, { space, ids, hidden }, writeOf(first))) {
      const taskId = fromDocumentId(held._id);
      const status = held.batchyard?.cancelRequestedAt ? 'cancelled' : 'held';
      const expiresAt = held.batchyard?.live?.expiresAt ?? null;
      answers.set(taskId, { taskId, fence: first.fence ?? 0, status, expiresAt });
    }
  }
  return answers;
}

interface Targets {
  readonly space: Space;
  readonly ids: DocumentId[];
  readonly hidden: DocumentId[];
}

function holdGroup(
  session: Session,
  { space, ids, hidden }: Targets,
  { filter, set, isStart }: GroupWrite,
): Promise<TaskDocument[]> {
  const write = session.newToken();
  const ours = {
    _id: { $in: ids },
    ...filter,
    $expr: { $eq: ['$node', '$batchyard.live.node'] },
    ...(hidden.length > 0 && { queue: { $nin: hidden } }),
  };
  const mark = { 'batchyard.write': write, 'batchyard.before': '$batchyard.write' };
  const update = [
    { $set: { ...set, ...mark } },
    ...(isStart ? [{ $unset: 'batchyard.shown' }] : []),
  ];
  const projection = { queue: 1, 'batchyard.live.expiresAt': 1, 'batchyard.cancelRequestedAt': 1 };
  return space.counts.during(async () => {
    await space.tasks.updateMany(ours as object, update);
    const mine = { _id: { $in: ids }, 'batchyard.write': write };
    const answer = await space.tasks.find(mine, { projection }).toArray();
    const started = answer.map(({ queue }) => ({
      queueId: fromDocumentId(queue),
      from: 'claimed' as const,
      to: 'running' as const,
    }));
    return { answer, moves: isStart ? started : [] };
  });
}
