import type { Store, TaskId } from '../../src/core/store/index.ts';
import { NOON } from '../support/builders.ts';
import type { ModelStore } from '../support/model-store/model-store.ts';

/** The two stores that must never differ. */
export interface StorePair {
  readonly model: ModelStore;
  readonly real: Store;
}

export interface KnownQueue {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly continuous: boolean;
}

export interface KnownAttempt {
  readonly taskId: TaskId;
  readonly fence: number;
}

/** What the commands of one run have brought about so far: where later ones take their names from. */
export interface World {
  now: Date;
  idCount: number;
  readonly queues: KnownQueue[];
  readonly tasks: TaskId[];
  /** Every attempt that was ever given out, stale ones too. */
  readonly attempts: KnownAttempt[];
}

export function createWorld(): World {
  return { now: NOON, idCount: 0, queues: [], tasks: [], attempts: [] };
}

/** Both stores get the same ids, and a run always the same ones. */
export function newId(world: World): string {
  world.idCount += 1;
  return `69a42bc0${world.idCount.toString(16).padStart(16, '0')}`;
}

/** The item a random number stands for; null when there is none yet. */
export function pick<Item>(items: readonly Item[], index: number): Item | null {
  return items[index % Math.max(items.length, 1)] ?? null;
}

const NOBODY = 'ffffffffffffffffffffffff';

/** Recent tasks more often than old ones, and now and then one that never was. */
export function pickTask(world: World, index: number): TaskId {
  if (index % 29 === 28) return NOBODY;
  const recent = world.tasks.slice(-8);
  return pick(index % 3 ? recent : world.tasks, index) ?? NOBODY;
}

/** Any attempt that was ever given out, recent ones more often. */
export function pickAttempt(world: World, index: number): KnownAttempt {
  const recent = world.attempts.slice(-6);
  const found = pick(index % 3 ? recent : world.attempts, index);
  return found ?? { taskId: NOBODY, fence: 1 };
}

/** An attempt that lives, if there is one; found without a step that would deal with what is due. */
export async function pickLive(
  world: World,
  { model }: StorePair,
  index: number,
): Promise<KnownAttempt> {
  const recent = world.attempts.slice(-15);
  const ids = recent.map(({ taskId }) => taskId);
  const tasks = await model.tasks.peek('default', ids);
  const live = recent.filter(({ fence }, at) => tasks[at]?.attempt?.fence === fence);
  return pick(live, index) ?? pickAttempt(world, index);
}

/** A queue that is continuous, or was when it was made, if there is one. */
export function pickContinuous(world: World, index: number): KnownQueue {
  const some = world.queues.filter(({ continuous }) => continuous);
  return pick(some, index) ?? pickQueue(world, index);
}

/** The first queues more often than those made since. */
export function pickQueue(world: World, index: number): KnownQueue {
  const none = { id: NOBODY, namespace: 'default', name: 'none', continuous: false };
  const some = index % 3 ? world.queues.slice(0, 3) : world.queues.slice(-5);
  return index % 31 === 30 ? none : (pick(some, Math.floor(index / 3)) ?? none);
}
