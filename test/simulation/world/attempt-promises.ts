/** What the engine, not just the store, promises to nodes; checked where their calls are served. */
import type { Engine } from '../../../src/core/engine/engine.ts';
import type {
  ClaimAnswer,
  ClaimRequest,
  HeldItem,
  HoldAnswer,
  SettleAnswer,
} from '../../../src/core/index.ts';
import { tokenKey } from '../shadow/shadow-claims.ts';
import type { Given } from '../shadow/shadow-record.ts';
import { insist } from '../violation.ts';
import type { World } from './world.ts';

export async function claimAsPromised(
  world: World,
  engine: Engine,
  request: ClaimRequest,
): Promise<ClaimAnswer> {
  const { token } = request;
  if (token === undefined) return engine.attempts.claim(request);
  const before = heldUnder(world, request.node, token);
  const answer = await engine.attempts.claim(request);
  const still = heldUnder(world, request.node, token);
  const given = new Set(answer.claims.map(toText));
  const kept = before.map(toText).filter((one) => still.some((held) => toText(held) === one));
  if (kept.length === 0) return answer;
  world.sometimes.hit('claim repeated while held');
  insist(
    kept.every((one) => given.has(one)),
    'one token, one set of claims',
    () => `${token} holds ${kept.join(', ')}, and the call repeated gave ${[...given].join(', ')}`,
  );
  insist(
    answer.claims.every((one) => before.some((held) => toText(held) === toText(one))),
    'one token, one set of claims',
    () => `${token} held ${before.map(toText).join(', ')}, then gave ${[...given].join(', ')}`,
  );
  return answer;
}

/** An answer that accepts something speaks of the attempt that was named, and of no other. */
export function ofTheNamed<Answer extends HoldAnswer | SettleAnswer>(
  items: readonly HeldItem[],
  answers: readonly Answer[],
): readonly Answer[] {
  for (const [index, { taskId, fence }] of items.entries()) {
    const answer = answers[index];
    const isSame = answer?.taskId === taskId && (fence === null || answer.fence === fence);
    insist(
      isSame || answer?.status === 'lost',
      'current fence',
      () => `asked for fence ${fence} of ${taskId}, answered ${JSON.stringify(answer)}`,
    );
  }
  return answers;
}

/** Claims that were given under the token, are held, and are remembered by the store's clock. */
function heldUnder({ shadow, storeNowMs }: World, node: string, token: string): readonly Given[] {
  const held: Given[] = [];
  const own = tokenKey(node, token);
  for (const [key, { until, given }] of shadow.tokens) {
    // The engine may have made other tokens of it.
    if ((key !== own && !key.startsWith(`${own}/`)) || until <= storeNowMs()) continue;
    for (const one of given) {
      if (shadow.tasks.get(one.taskId)?.live?.fence === one.fence) held.push(one);
    }
  }
  return held;
}

function toText({ taskId, fence }: Given): string {
  return `${taskId}/${fence}`;
}
