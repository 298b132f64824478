/** What the suite's tests say again and again, in one line each. */
import { expect } from 'vitest';
import {
  BatchError,
  type Claim,
  type ClaimRequest,
  type Engine,
  type ErrorCode,
  type HeldItem,
  type HoldAnswer,
  type RenewRequest,
  type SettleAnswer,
  type SettleOutcome,
  type SettleRequest,
  type Task,
  type TaskId,
  type TaskKey,
  type TaskState,
  type TaskSubmission,
} from '../../../src/core/index.ts';
import { seconds } from '../../support/builders.ts';
import type { EngineFixture } from './engine-under-test.ts';

export function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}

/** The one item there must be. */
export function only<Item>(items: readonly Item[]): Item {
  expect(items).toHaveLength(1);
  return items[0] as Item;
}

export async function submitOne(
  engine: Engine,
  queue: string,
  task: TaskSubmission = {},
): Promise<TaskId> {
  return only(await engine.tasks.submit(queue, [task])).id;
}

export async function submitKeys(
  engine: Engine,
  queue: string,
  keys: readonly TaskKey[],
): Promise<TaskId[]> {
  const submitted = await engine.tasks.submit(
    queue,
    keys.map((key) => ({ key })),
  );
  return submitted.map(({ id }) => id);
}

export async function claim(
  engine: Engine,
  request: Partial<ClaimRequest> = {},
): Promise<readonly Claim[]> {
  return (await engine.attempts.claim({ node: 'n1', ...request })).claims;
}

export async function claimOne(
  engine: Engine,
  request: Partial<ClaimRequest> = {},
): Promise<Claim> {
  return only(await claim(engine, request));
}

export async function claimKeys(
  engine: Engine,
  request: Partial<ClaimRequest> = {},
): Promise<(TaskKey | null)[]> {
  return (await claim(engine, request)).map(({ key }) => key);
}

/** The claim as its holder names it, and nothing more. */
export function refOf({ taskId, fence }: HeldItem): HeldItem {
  return { taskId, fence };
}

/** Renews one attempt. */
export async function renew(
  engine: Engine,
  held: HeldItem,
  more: Partial<RenewRequest> = {},
): Promise<HoldAnswer> {
  return only(await engine.attempts.renew([{ ...refOf(held), ...more }]));
}

export async function settle(
  engine: Engine,
  held: HeldItem,
  outcome: SettleOutcome,
  more: Partial<SettleRequest> = {},
): Promise<SettleAnswer> {
  return only(await engine.attempts.settle([{ ...refOf(held), outcome, ...more }]));
}

export async function stateOf(engine: Engine, id: TaskId): Promise<TaskState> {
  return (await engine.tasks.get(id)).state;
}

/** Each task's state by key, in order of key. */
export async function statesByKey(
  engine: Engine,
  queue: string,
): Promise<Record<string, TaskState>> {
  const tasks = await listByKey(engine, queue);
  return Object.fromEntries(tasks.map(({ key, state }) => [String(key), state]));
}

export async function listByKey(engine: Engine, queue: string): Promise<readonly Task[]> {
  const page = { sort: 'key', direction: 'asc', limit: 1000 } as const;
  return (await engine.tasks.list({ queues: [queue] }, page)).items;
}

/** The states that hold any task, with their number. */
export async function countsOf(engine: Engine, queue: string): Promise<Record<string, number>> {
  return withoutZeros(await engine.queues.countsOf(queue));
}

export function withoutZeros(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The error a call must be refused with. */
export async function refusal(call: Promise<unknown>): Promise<BatchError> {
  const error: unknown = await call.then(
    () => 'not refused',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BatchError);
  return error as BatchError;
}

export async function expectRefusal(
  call: Promise<unknown>,
  code: ErrorCode,
  details: Record<string, string> = {},
): Promise<void> {
  expect(await refusal(call)).toMatchObject({ code, details });
}

/** Lets calls that are under way arrive where they wait: an answered call is behind those sent before it. */
export async function letCallsArrive(engine: Engine): Promise<void> {
  for (let i = 0; i < 5; i += 1) await engine.health();
}

/** Turns the clock in steps until the call resolves. */
export async function turnUntil<Answer>(
  { engine, clock }: EngineFixture,
  call: Promise<Answer>,
  stepMs = seconds(1),
): Promise<Answer> {
  let over = false;
  const done = call.finally(() => {
    over = true;
  });
  done.catch(() => {});
  for (let turns = 0; turns < 400 && !over; turns += 1) {
    await letCallsArrive(engine);
    if (!over) await clock.advance(stepMs);
  }
  expect(over, 'the call resolved').toBe(true);
  return done;
}
