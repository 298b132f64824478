import { BatchError, type ErrorCode, type PageRequest } from '../core/index.ts';

/** `find…` over HTTP: not there is an error on the wire, and null here. */
export async function nullIfMissing<Answer>(
  code: ErrorCode,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BatchError && error.code === code) return null;
    throw error;
  }
}

export function toPageQuery({ after, limit }: PageRequest = {}): {
  after?: string;
  limit?: number;
} {
  return { ...(after != null && { after }), ...(limit !== undefined && { limit }) };
}
