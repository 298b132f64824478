import { invalid } from '../errors.ts';

export const DEFAULT_NAMESPACE = 'default';

/** A namespace holds queues and nodes; it exists from its first use until it is deleted. */
export interface Namespace {
  readonly name: string;
  readonly createdAt: Date;
}

/** Names of namespaces, queues and nodes: any text without control characters, and not too long. */
export function checkName(field: string, name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    throw invalid(field, 'a name cannot hold control characters', 'Use printable text');
  }
  if (!name.isWellFormed())
    throw invalid(field, 'the name is not valid Unicode', 'Send UTF-8 text');
  if (name.length > 255) {
    throw invalid(field, `the name has ${name.length} characters`, 'Use at most 255');
  }
}

/** Queues and nodes must be called something; the namespace "" exists for Coordinate's clients. */
export function checkNameGiven(field: string, name: string): void {
  if (name === '') throw invalid(field, 'a name is needed', 'Use 1 to 255 characters');
  checkName(field, name);
}
