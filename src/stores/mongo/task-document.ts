/** Documents of `tasks` as they are stored: Disbatch's fields, and ours in one sub-document. */
import type { ObjectId } from 'mongodb';
import type { AttemptOutcome, HoldReason, UniqueScope } from '../../core/store/index.ts';
import type { DocumentId } from './ids.ts';

export interface TaskDocument {
  readonly _id: DocumentId;
  readonly queue: DocumentId;
  readonly status: number | string;
  /** Who runs or ran it; null, or -1 in DEN 1.1, while it waits. */
  readonly node?: string | number | null;
  readonly params?: unknown;
  /** DEN 1.1's name for params. */
  readonly parameters?: unknown;
  readonly ctime?: Date | number;
  readonly mtime?: Date | number;
  readonly stdout?: string | ObjectId | null;
  readonly stderr?: string | ObjectId | null;
  readonly complete?: boolean;
  readonly batchyard?: TaskExtension;
}

/** Absent means: nothing of ours yet, priority 0, place by `_id`, no lease. */
export interface TaskExtension {
  /** Which write was the last of ours; every change is made on condition of it. */
  readonly write?: string;
  readonly before?: string;
  readonly order?: string;
  readonly rank?: string;
  readonly priority?: number;
  readonly key?: string;
  /** JSON text of params that BSON cannot hold. */
  readonly params?: string;
  readonly result?: string;
  readonly error?: string;
  readonly code?: number;
  readonly notBefore?: Date;
  readonly labels?: readonly string[];
  readonly hold?: HoldReason;
  readonly external?: true;
  readonly unique?: { readonly key: string; readonly scope: UniqueScope };
  readonly live?: LiveDocument;
  /** When somebody must look at it: the lease ends, or the delay. */
  readonly due?: Date;
  readonly ended?: readonly EndedDocument[];
  /** How many ended attempts lie in the archive. */
  readonly archived?: number;
  readonly fence?: number;
  readonly claimCount?: number;
  readonly tryCount?: number;
  readonly lossCount?: number;
  readonly roundCount?: number;
  readonly lastOutcome?: AttemptOutcome;
  readonly cancelRequestedAt?: Date;
  readonly endedAt?: Date;
  /** What `updatedAt` is while `mtime` is later than it, for a lease that moved. */
  readonly shown?: { readonly mtime: Date; readonly updatedAt: Date };
  /** Which submission replaced it last, so that a repeated one is noticed. */
  readonly replacedBy?: string;
  /** Which call under an idempotency key changed it last. */
  readonly changedBy?: string;
  /** The live attempt has written output. */
  readonly wrote?: true;
  /** Emissions to be carried out, as JSON text, and since when they wait. */
  readonly pending?: readonly string[];
  readonly pendingAt?: Date;
}

export interface LiveDocument {
  readonly node: string;
  readonly claimedAt: Date;
  readonly startedAt: Date | null;
  readonly expiresAt: Date | null;
  /** Which claim call gave it. */
  readonly call?: string | null;
  readonly limitKeys?: readonly string[];
}

export interface EndedDocument {
  readonly fence: number;
  readonly node: string;
  readonly claimedAt: Date;
  readonly startedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly endedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly data: string;
  readonly error: string | null;
  readonly code: number | null;
  readonly late: LateDocument | null;
}

export interface LateDocument {
  readonly outcome: AttemptOutcome;
  readonly data: string;
  readonly at: Date;
}

export interface ArchivedDocument extends EndedDocument {
  readonly _id: string;
  readonly task: DocumentId;
}
