/** A page of a list, by keyset: `next` is handed back as `after`, and null ends it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface PageRequest {
  readonly after?: string | null;
  readonly limit?: number;
}

export const LARGEST_PAGE = 1000;
export const USUAL_PAGE = 100;
