import type { Claim, EmitRequest, SettleRequest } from '../../../src/core/index.ts';
import type { World } from './world.ts';

/** Emitted tasks emit again, but not for ever. */
const DEEPEST = 2;
const MOST_ROUNDS = 3;

/** How an attempt ends; 'crash' takes its node with it. */
export function drawEnding(
  world: World,
  claim: Claim,
  queues: readonly string[],
): SettleRequest | 'crash' {
  const { chance, isCalm } = world;
  const { taskId, fence } = claim;
  const params = claim.params as { readonly isPoison?: boolean; readonly depth?: number } | null;
  if (params?.isPoison && !isCalm && chance.happens(0.7)) {
    world.sometimes.hit('poison task killed its node');
    return 'crash';
  }
  const success: SettleRequest = { taskId, fence, outcome: 'succeeded', output: { fence } };
  const depth = params?.depth ?? 0;
  const emit = depth < DEEPEST && chance.happens(0.2) ? drawEmissions(world, claim, queues) : [];
  if (isCalm) return { ...success, emit };
  const draw = chance.between(0, 99);
  if (draw < 55) return { ...success, emit };
  if (draw < 65) {
    const params = chance.happens(0.3) ? { params: { depth, isAgain: true } } : {};
    if (claim.roundCount >= MOST_ROUNDS) return success;
    return { ...success, emit, again: { delayMs: chance.oneOf([0, 100, 500]), ...params } };
  }
  if (draw < 80) {
    const delay = chance.happens(0.5) ? { delayMs: chance.between(0, 300) } : {};
    const error = 'simulated failure';
    return { taskId, fence, outcome: 'failed', error, final: chance.happens(0.3), ...delay, emit };
  }
  if (draw < 85) return { taskId, fence, outcome: 'timed-out', error: 'too slow' };
  if (draw < 93) return { taskId, fence, outcome: 'released', delayMs: chance.oneOf([0, 0, 200]) };
  if (draw < 97) return { taskId, fence, outcome: 'orphaned' };
  return { taskId, fence, outcome: 'cancelled' };
}

function drawEmissions({ chance }: World, claim: Claim, queues: readonly string[]): EmitRequest[] {
  const depth = (claim.params as { readonly depth?: number } | null)?.depth ?? 0;
  return Array.from({ length: chance.between(1, 2) }, (_, index) => ({
    queue: chance.oneOf(queues),
    params: {
      origin: `emitted ${claim.taskId}/${claim.fence}/${index}`,
      depth: depth + 1,
      tenant: chance.oneOf(['a', 'b']),
    },
    ...(chance.happens(0.4) && { key: `key-${chance.between(1, 6)}` }),
    ...(chance.happens(0.2) && { delayMs: chance.between(1, 500) }),
    onConflict: chance.oneOf(['replace', 'skip'] as const),
  }));
}
