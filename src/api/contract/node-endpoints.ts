import { z } from 'zod';
import {
  type Attempt,
  NODE_WISHES,
  type Node,
  type NodeReport,
  type NodeWish,
} from '../../core/index.ts';
import { AttemptJson } from './attempt-schemas.ts';
import { endpoint } from './endpoint.ts';
import { type InNamespace, inNamespace } from './namespace-endpoints.ts';
import { type Fields, open, optional, strict } from './object-schemas.ts';
import { pageOf } from './page-schema.ts';
import { PathName } from './path-name.ts';
import { pageFields, QueryBoolean } from './query-values.ts';
import { AnyJson, Count, DurationMs, Instant, listOf, Name, Tally } from './wire-values.ts';

const NODES = '/namespaces/:namespace/nodes';
const ONE_NODE = `${NODES}/:node`;

export interface OneNode extends InNamespace {
  readonly node: string;
}

const NodeParams = strict<OneNode>({ ...inNamespace, node: PathName });

const reportFields: Fields<NodeReport> = {
  parent: Name.nullable(),
  mode: z.string(),
  slots: Count,
  handlers: listOf(Name).nullable().describe('Handlers it can run; null: it did not say.'),
  programs: z.boolean().describe('Whether it runs programs.'),
  queuesOnly: listOf(Name).nullable(),
  queuesNot: listOf(Name),
  version: z.string(),
  host: z.string(),
  pid: z.int().nullable(),
  data: AnyJson,
};

const ReportJson = strict<Partial<NodeReport>>(optional(reportFields)).meta({ id: 'NodeReport' });

const NodeJson = open<Node>({
  id: z.string(),
  namespace: Name,
  name: Name,
  ...reportFields,
  active: z.boolean(),
  wish: z.enum(NODE_WISHES),
  maxRunning: Tally.nullable(),
  assignedVersion: Tally,
  assignedAt: Instant.nullable(),
  runningCount: Tally,
  createdAt: Instant,
  heartbeatAt: Instant,
  expiresAt: Instant,
}).meta({ id: 'Node' });

export interface HeartbeatBody {
  readonly report?: Partial<NodeReport>;
  readonly ttlMs?: number;
}

export const beatNode = endpoint({
  name: 'nodes.heartbeat',
  method: 'POST',
  path: `${ONE_NODE}/heartbeat`,
  summary: 'Register or refresh a node, and learn what is wanted of it.',
  repeat: 'safe',
  params: NodeParams,
  body: strict<HeartbeatBody>({ report: ReportJson.optional(), ttlMs: DurationMs.optional() }),
  answer: NodeJson,
});

export const getNode = endpoint({
  name: 'nodes.get',
  method: 'GET',
  path: ONE_NODE,
  summary: 'Get a node.',
  params: NodeParams,
  answer: NodeJson,
  errors: ['NODE_NOT_FOUND'],
});

export interface NodeQuery {
  readonly live?: boolean;
  readonly parent?: string;
  readonly after?: string;
  readonly limit?: number;
}

export const listNodes = endpoint({
  name: 'nodes.list',
  method: 'GET',
  path: NODES,
  summary: 'List nodes by name.',
  params: strict<InNamespace>(inNamespace),
  query: strict<NodeQuery>({
    live: QueryBoolean.optional().describe('Only those that are alive.'),
    parent: Name.optional(),
    ...pageFields,
  }),
  answer: pageOf<Node>(NodeJson),
});

export const setNode = endpoint({
  name: 'nodes.set',
  method: 'PATCH',
  path: ONE_NODE,
  summary: 'Drain or cordon a node, put it back to work, or limit it.',
  params: NodeParams,
  body: strict<{ wish?: NodeWish; maxRunning?: number | null }>({
    wish: z.enum(NODE_WISHES).optional(),
    maxRunning: Count.nullable().optional(),
  }),
  answer: NodeJson,
  errors: ['NODE_NOT_FOUND'],
});

export const deactivateNode = endpoint({
  name: 'nodes.deactivate',
  method: 'POST',
  path: `${ONE_NODE}/deactivate`,
  summary: 'Say goodbye for a node; its leases run on.',
  params: NodeParams,
  errors: ['NODE_NOT_FOUND'],
});

export const deleteNode = endpoint({
  name: 'nodes.delete',
  method: 'DELETE',
  path: ONE_NODE,
  summary: 'Forget a node.',
  params: NodeParams,
  errors: ['NODE_NOT_FOUND'],
});

export const listNodeAttempts = endpoint({
  name: 'attempts.listByNode',
  method: 'GET',
  path: `${ONE_NODE}/attempts`,
  summary: "List a node's attempts: live ones, or ended ones with the newest first.",
  params: NodeParams,
  query: strict<{ live?: boolean; after?: string; limit?: number }>({
    live: QueryBoolean.optional(),
    ...pageFields,
  }),
  answer: pageOf<Attempt>(AttemptJson),
});
