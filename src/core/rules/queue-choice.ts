/**
 * Which queues a claimer gets tasks from: highest priority first, then by weight
 * so that the live tasks of the queues approach the ratio of their weights.
 */
import type { QueueId } from '../domain/ids.ts';
import type { Random } from '../random.ts';
import type { QueueHead } from '../store/queue-store.ts';

export interface Pick {
  readonly head: QueueHead;
  readonly count: number;
}

export interface ChoiceRequest {
  readonly limit: number;
  readonly oneQueue: boolean;
  readonly random: Random;
}

interface Candidate {
  readonly head: QueueHead;
  readonly room: number;
  taken: number;
}

/** Draws share the limit in portions, so that a large claim is spread like many small ones. */
const PORTIONS = 16;

export function chooseQueues(heads: readonly QueueHead[], request: ChoiceRequest): Pick[] {
  let left = request.limit;
  const open = heads
    .map((head): Candidate => ({ head, room: roomIn(head), taken: 0 }))
    .filter((candidate) => candidate.room > 0);
  const picks = new Map<QueueId, Candidate>();
  while (left > 0) {
    const rivals = highestPriority(open.filter(hasRoom));
    const chosen = draw(rivals, request.random);
    if (chosen === null) break;
    const alone = rivals.length === 1 || request.oneQueue;
    const portion = alone ? left : Math.ceil(request.limit / PORTIONS);
    const count = Math.min(left, portion, chosen.room - chosen.taken);
    chosen.taken += count;
    left -= count;
    picks.set(chosen.head.queue.id, chosen);
    if (request.oneQueue) break;
  }
  return [...picks.values()].map(({ head, taken }) => ({ head, count: taken }));
}

/** How many tasks one claim may take from a queue, as far as the head tells. */
export function roomIn({ queue, counts }: QueueHead): number {
  const live = counts.claimed + counts.running;
  const ready = counts.queued > 0 ? counts.queued : startsContinuous({ queue, counts }) ? 1 : 0;
  return Math.min(
    ready,
    queue.maxPerClaim ?? Number.POSITIVE_INFINITY,
    queue.maxRunning === null ? Number.POSITIVE_INFINITY : queue.maxRunning - live,
  );
}

/** Whether an idle continuous queue makes a task of its own; whether its time has come is asked elsewhere. */
export function startsContinuous({ queue, counts }: QueueHead): boolean {
  return queue.continuous && counts.queued === 0 && counts.claimed + counts.running === 0;
}

function hasRoom(candidate: Candidate): boolean {
  return candidate.taken < candidate.room;
}

function highestPriority(candidates: readonly Candidate[]): readonly Candidate[] {
  let highest = Number.NEGATIVE_INFINITY;
  for (const { head } of candidates) highest = Math.max(highest, head.queue.priority);
  return candidates.filter(({ head }) => head.queue.priority === highest);
}

/** score = weight × (all live + 1) − all weights × own live; chance is in proportion to it. */
function draw(rivals: readonly Candidate[], random: Random): Candidate | null {
  if (rivals.length <= 1) return rivals[0] ?? null;
  let weights = 0;
  let live = 0;
  for (const rival of rivals) {
    weights += rival.head.queue.weight;
    live += liveOf(rival);
  }
  const scores = rivals.map((rival) =>
    Math.max(0, rival.head.queue.weight * (live + 1) - weights * liveOf(rival)),
  );
  let target = random.next() * scores.reduce((sum, score) => sum + score, 0);
  for (const [index, rival] of rivals.entries()) {
    target -= scores[index] ?? 0;
    if (target < 0) return rival;
  }
  return rivals.at(-1) ?? null;
}

function liveOf({ head, taken }: Candidate): number {
  return head.counts.claimed + head.counts.running + taken;
}
