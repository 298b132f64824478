import type { Binary } from 'mongodb';
import type { OutputStream } from '../../core/store/index.ts';
import type { DocumentId } from './ids.ts';

/** A chunk of what an attempt wrote, beside Disbatch's collections. */
export interface OutputDocument {
  readonly task: DocumentId;
  readonly fence: number;
  readonly number: number;
  readonly stream: OutputStream;
  readonly offset: number;
  readonly at: Date;
  readonly bytes: Binary;
}
