/**
 * Counts of a namespace's queues, as claims choose by them. They are read from the index, and
 * between two readings every write of this process moves them: exact for what it did itself, and
 * soon right about what others did.
 */
import { type Clock, noCounts, type TaskState } from '../../core/store/index.ts';

export type Counts = Record<TaskState, number>;

/** Tasks that came (from null), went from state to state, or left (to null). */
export interface CountMove {
  readonly queueId: string;
  readonly from: TaskState | null;
  readonly to: TaskState | null;
  readonly count?: number;
}

export interface CountCache {
  /** The counts of these queues, read by `read` when those in hand are too old. */
  get(
    queueIds: readonly string[],
    read: () => Promise<Map<string, Counts>>,
  ): Promise<Map<string, Counts>>;
  /** Runs a write; it says what it moved. null: nobody knows, so all is read again. */
  during<Answer>(
    write: () => Promise<{ readonly answer: Answer; readonly moves: readonly CountMove[] | null }>,
  ): Promise<Answer>;
}

const FRESH_MS = 100;
/** Reading may take this part of the time at most: a million tasks are not counted for every claim. */
const READING_SHARE = 20;

export function createCountCache(clock: Clock): CountCache {
  let known: Map<string, Counts> | null = null;
  let freshUntilMs = 0;
  let writing = 0;
  let writes = 0;

  async function refresh(read: () => Promise<Map<string, Counts>>): Promise<Map<string, Counts>> {
    const isQuiet = writing === 0;
    const before = writes;
    const startMs = clock.monotonicMs();
    const counts = await read();
    const nowMs = clock.monotonicMs();
    // Whether a write that was under way is counted already, nobody can say.
    if (isQuiet && writes === before) known = counts;
    if (known !== null)
      freshUntilMs = nowMs + Math.max(FRESH_MS, READING_SHARE * (nowMs - startMs));
    return known ?? counts;
  }

  return {
    async get(queueIds, read) {
      const held = known;
      const isKnown = held !== null && queueIds.every((id) => held.has(id));
      if (held !== null && !isKnown) known = null;
      const isFresh = isKnown && clock.monotonicMs() < freshUntilMs;
      const counts = held !== null && isFresh ? held : await refresh(read);
      return new Map(queueIds.map((id) => [id, { ...(counts.get(id) ?? noCounts()) }]));
    },

    async during(write) {
      writing += 1;
      writes += 1;
      let moves: readonly CountMove[] | null = null;
      try {
        const done = await write();
        moves = done.moves;
        return done.answer;
      } finally {
        writing -= 1;
        writes += 1;
        if (moves === null) known = null;
        else for (const move of moves) apply(known, move);
      }
    },
  };
}

function apply(known: Map<string, Counts> | null, { queueId, from, to, count = 1 }: CountMove) {
  const counts = known?.get(queueId);
  if (!counts) return;
  if (from !== null) counts[from] -= count;
  if (to !== null) counts[to] += count;
}
