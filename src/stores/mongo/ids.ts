import { ObjectId } from 'mongodb';

/** `_id` of a queue, task or node: an ObjectId, or whatever text a DEN 1.1 program chose. */
export type DocumentId = ObjectId | string;

export function toDocumentId(id: string): DocumentId {
  return /^[0-9a-f]{24}$/.test(id) ? ObjectId.createFromHexString(id) : id;
}

export function fromDocumentId(id: unknown): string {
  return id instanceof ObjectId ? id.toHexString() : String(id);
}
