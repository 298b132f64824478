import type { Node, NodeReport, NodeWish } from '../../core/store/index.ts';
import { type DocumentId, fromDocumentId } from './ids.ts';

/** Documents of `nodes`: Disbatch's fields, and ours in one sub-document. */
export interface NodeDocument {
  readonly _id: DocumentId;
  readonly node?: string;
  readonly timestamp?: Date;
  /** The operator's limit: a number, a text of digits, or null. */
  readonly maxthreads?: number | string | null;
  /** DEN 1.1's heartbeat. */
  readonly heartbeat?: { readonly datetime?: Date; readonly pid?: number };
  readonly version?: string;
  readonly batchyard?: NodeExtension;
}

export interface NodeExtension {
  /** What the node said of itself, as JSON text. */
  readonly report?: string;
  readonly active?: boolean;
  readonly wish?: NodeWish;
  readonly assignedVersion?: number;
  readonly assignedAt?: Date;
  readonly createdAt?: Date;
  readonly heartbeatAt?: Date;
  readonly expiresAt?: Date;
}

/** A Disbatch node beats once a second; one that was silent for a minute counts as gone. */
const FOREIGN_TTL_MS = 60_000;

const FOREIGN_REPORT: NodeReport = {
  parent: null,
  mode: '',
  slots: 1,
  handlers: null,
  programs: false,
  queuesOnly: null,
  queuesNot: [],
  version: '',
  host: '',
  pid: null,
  data: null,
};

export interface NodeLimits {
  readonly wish: NodeWish;
  readonly maxRunning: number | null;
  readonly assignedVersion: number;
}

export function nodeName({ node, _id }: NodeDocument): string {
  return node ?? fromDocumentId(_id);
}

export function limitsOf({ maxthreads, batchyard }: NodeDocument): NodeLimits {
  const count = Number(maxthreads ?? Number.NaN);
  return {
    wish: batchyard?.wish ?? 'work',
    maxRunning: Number.isFinite(count) ? count : null,
    assignedVersion: batchyard?.assignedVersion ?? 0,
  };
}

export function fromNodeDocument(
  document: NodeDocument,
  { namespace, runningCount }: Pick<Node, 'namespace' | 'runningCount'>,
): Node {
  const { _id, batchyard, timestamp, heartbeat } = document;
  const beatAt = batchyard?.heartbeatAt ?? timestamp ?? heartbeat?.datetime ?? new Date(0);
  const createdAt = typeof _id === 'string' ? beatAt : _id.getTimestamp();
  const foreign = {
    ...FOREIGN_REPORT,
    version: document.version ?? '',
    pid: heartbeat?.pid ?? null,
  };
  return {
    ...(batchyard?.report === undefined ? foreign : JSON.parse(batchyard.report)),
    id: fromDocumentId(_id),
    namespace,
    name: nodeName(document),
    active: batchyard?.active ?? true,
    ...limitsOf(document),
    assignedAt: batchyard?.assignedAt ?? null,
    runningCount,
    createdAt: batchyard?.createdAt ?? createdAt,
    heartbeatAt: beatAt,
    expiresAt: batchyard?.expiresAt ?? new Date(beatAt.getTime() + FOREIGN_TTL_MS),
  };
}
