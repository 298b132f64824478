import { z } from 'zod';
import type { Page } from '../../core/index.ts';
import { type ObjectSchema, open } from './object-schemas.ts';

export function pageOf<Item>(item: z.ZodType<Item>): ObjectSchema<Page<Item>> {
  return open<Page<Item>>({
    items: z.array(item),
    next: z
      .string()
      .nullable()
      .describe('Give it as `after` for the next page; null ends the list.'),
  });
}
