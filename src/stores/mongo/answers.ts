import { deserialize, serialize } from 'node:v8';
import type { Binary, Collection } from 'mongodb';
import { BatchError, type KeptAnswer, type Once } from '../../core/store/index.ts';
import type { Session } from './session.ts';
import { fromStoredText, toStoredText } from './texts.ts';
import type { OnceRun } from './transitions.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

interface AnswerDocument {
  readonly _id: string;
  readonly fingerprint: string;
  readonly at: Date;
  readonly run: string;
  /** What the step kept for when it is run again, as JSON text. */
  readonly plan?: string;
  /** Absent while the step is under way, or when its process died in it. */
  readonly answer?: Binary;
}

function answersOf({ spaces }: Session): Collection<AnswerDocument> {
  return spaces.shared.collection('batchyard.answers');
}

async function findDocument(session: Session, key: string, now: number) {
  const found = await answersOf(session).findOne({ _id: toStoredText(key) });
  return found && now - found.at.getTime() <= KEPT_MS ? found : null;
}

function answerOf({ answer }: AnswerDocument): unknown {
  return answer && deserialize(answer.value());
}

/**
 * Runs a step once under its key; whoever comes later gets its answer. The key is written before
 * the step and the answer after it: when its process died between, the next call runs the
 * step again, which leaves alone what the first one did.
 */
export function runOnce<Answer>(
  session: Session,
  { once, now }: { readonly once: Once; readonly now: number },
  step: (run: OnceRun) => Promise<Answer>,
): Promise<Answer> {
  const collection = answersOf(session);
  const _id = toStoredText(once.key);
  return session.locks.hold([`once:${_id}`], async () => {
    const kept = await findDocument(session, once.key, now);
    if (kept && fromStoredText(kept.fingerprint) !== once.fingerprint) {
      throw new BatchError('KEY_REUSED', { key: once.key });
    }
    if (kept?.answer) return answerOf(kept) as Answer;
    const name = kept?.run ?? session.newToken();
    const begun = { fingerprint: toStoredText(once.fingerprint), at: new Date(now), run: name };
    if (!kept) await collection.replaceOne({ _id }, begun, { upsert: true });
    const answer = await step({
      name,
      async keep(value) {
        if (kept?.plan !== undefined) return JSON.parse(kept.plan);
        await collection.updateOne({ _id }, { $set: { plan: JSON.stringify(value) } });
        return value;
      },
    });
    await collection.updateOne({ _id }, { $set: { answer: serialize(answer) as never } });
    return answer;
  });
}

export async function findAnswer(
  session: Session,
  key: string,
  now: number,
): Promise<KeptAnswer | null> {
  const kept = await findDocument(session, key, now);
  if (!kept?.answer) return null;
  return { fingerprint: fromStoredText(kept.fingerprint), answer: answerOf(kept) };
}

export async function purgeAnswers(session: Session, now: number, limit: number): Promise<number> {
  const collection = answersOf(session);
  const stale = await collection
    .find({ at: { $lt: new Date(now - KEPT_MS) } }, { projection: { _id: 1 } })
    .sort({ at: 1 })
    .limit(limit)
    .toArray();
  if (stale.length === 0) return 0;
  const { deletedCount } = await collection.deleteMany({
    _id: { $in: stale.map(({ _id }) => _id) },
    at: { $lt: new Date(now - KEPT_MS) },
  });
  return deletedCount;
}
