import { checkWhole } from '../domain/check.ts';
import { LARGEST_PAGE, type PageRequest, USUAL_PAGE } from '../domain/page.ts';

export function pageOf({ after = null, limit = USUAL_PAGE }: PageRequest = {}): {
  after: string | null;
  limit: number;
} {
  checkWhole('limit', limit, { min: 1, max: LARGEST_PAGE });
  return { after, limit };
}
