import { createHash } from 'node:crypto';
import { checkText } from '../domain/check.ts';
import { BatchError } from '../errors.ts';
import type { Mutation } from '../store/step.ts';
import type { Handle } from './engine-context.ts';
import type { Repeatable } from './repeatable.ts';

export interface OnceOptions extends Repeatable {
  /** Names a further step of the same call; each is kept for itself. */
  readonly part?: string;
}

/**
 * Runs a step under the caller's idempotency key, if there is one. The key is the
 * caller's own: it is kept apart by principal and namespace. A repeated call gets the
 * first step's answer even where that step could not run again.
 */
export async function once<Answer>(
  handle: Handle,
  options: OnceOptions | undefined,
  request: unknown,
  run: (step: Mutation) => Promise<Answer>,
): Promise<Answer> {
  const step = handle.step();
  const given = options?.idempotencyKey;
  if (given === undefined) return run(step);
  checkText('idempotencyKey', given, 255);

  const key = digest([handle.principal.name, handle.namespace, given, options?.part]);
  const fingerprint = digest(request);
  const kept = await handle.store.answers.find(key, step);
  if (kept === null) return run({ ...step, once: { key, fingerprint } });
  if (kept.fingerprint !== fingerprint) throw new BatchError('KEY_REUSED', { key: given });
  return kept.answer as Answer;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
