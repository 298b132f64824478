/** What SQLite takes and gives. */
export type SqlValue = string | number | null | Uint8Array;
