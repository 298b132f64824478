import type { Node, NodeBeat, NodeChange, NodeReport, NodeStore } from '../../core/store/index.ts';
import { hiddenQueueIds } from './hidden-queues.ts';
import { toDocumentId } from './ids.ts';
import { fromNodeDocument, type NodeDocument, nodeName } from './node-document.ts';
import { pageOf } from './page-of.ts';
import type { Space } from './spaces.ts';
import { LIVE } from './status-codes.ts';
import type { Steps } from './steps.ts';

/** A DEN 1.1 node is named by its `_id`. */
export function nodeFilter(name: string): object {
  return { $or: [{ node: name }, { _id: name, node: null }] };
}

export function createNodeStore(steps: Steps): NodeStore {
  const { spaces } = steps.session;
  return {
    heartbeat: (namespace, beats, step) =>
      steps.take(step, async ({ now }) => {
        await spaces.ensure(namespace, now);
        const space = spaces.get(namespace);
        const documents: NodeDocument[] = [];
        for (const beat of beats) documents.push(await keepBeat(space, beat, now));
        return toNodes(space, documents);
      }),

    find: (namespace, name) =>
      steps.look(async () => {
        const space = spaces.get(namespace);
        const document = await space.nodes.findOne(nodeFilter(name));
        return document ? ((await toNodes(space, [document]))[0] ?? null) : null;
      }),

    list: (namespace, { after, limit, live, parent }, step) =>
      steps.take(step, async ({ now }) => {
        const space = spaces.get(namespace);
        const nodes = (await toNodes(space, await space.nodes.find().toArray()))
          .filter((node) => !live || (node.active && node.expiresAt.getTime() > now))
          .filter((node) => parent === undefined || node.parent === parent);
        return pageOf(nodes, { after, limit, cursorOf: ({ name }) => name });
      }),

    update: (namespace, name, change, step) =>
      steps.mutate(step, async () => {
        const space = spaces.get(namespace);
        const document = await space.nodes.findOneAndUpdate(
          nodeFilter(name),
          { $set: changeFields(change) },
          { returnDocument: 'after' },
        );
        return document ? ((await toNodes(space, [document]))[0] ?? null) : null;
      }),

    deactivate: (namespace, name, step) =>
      steps.mutate(step, async () => {
        const { nodes } = spaces.get(namespace);
        const goodbye = { $set: { 'batchyard.active': false } };
        const { matchedCount } = await nodes.updateOne(nodeFilter(name), goodbye);
        return matchedCount === 1 ? 'deactivated' : 'missing';
      }),

    delete: (namespace, name, step) =>
      steps.mutate(step, async () => {
        const { deletedCount } = await spaces.get(namespace).nodes.deleteOne(nodeFilter(name));
        return deletedCount === 1 ? 'deleted' : 'missing';
      }),
  };
}

function changeFields({ wish, maxRunning }: NodeChange): Record<string, unknown> {
  return {
    'batchyard.wish': wish,
    ...(maxRunning !== undefined && { maxthreads: maxRunning }),
  };
}

async function keepBeat({ nodes }: Space, beat: NodeBeat, now: number): Promise<NodeDocument> {
  const { id, name, ttlMs, report } = beat;
  const at = new Date(now);
  const fields = {
    timestamp: at,
    'batchyard.report': JSON.stringify(toReport(report)),
    'batchyard.active': true,
    'batchyard.heartbeatAt': at,
    'batchyard.expiresAt': new Date(now + ttlMs),
  };
  const onInsert = { _id: toDocumentId(id), 'batchyard.createdAt': at };
  const document = await nodes.findOneAndUpdate(
    { node: name },
    { $set: fields, $setOnInsert: onInsert },
    { upsert: true, returnDocument: 'after' },
  );
  if (document === null) throw new Error('An upsert gave nothing back.');
  return document;
}

/** Only what a report consists of, whatever else the object held. */
function toReport(report: NodeReport): NodeReport {
  const { parent, mode, slots, handlers, programs, queuesOnly, queuesNot } = report;
  const { version, host, pid, data } = report;
  const said = { parent, mode, slots, handlers, programs, queuesOnly, queuesNot };
  return { ...said, version, host, pid, data };
}

async function toNodes(space: Space, documents: readonly NodeDocument[]): Promise<Node[]> {
  if (documents.length === 0) return [];
  const hidden = await hiddenQueueIds(space);
  const match = {
    node: { $in: documents.map(nodeName) },
    status: { $in: LIVE },
    ...(hidden.length > 0 && { queue: { $nin: hidden } }),
  };
  const counted = await space.tasks
    .aggregate<{ _id: string; count: number }>([
      { $match: match },
      { $group: { _id: '$node', count: { $sum: 1 } } },
    ])
    .toArray();
  const counts = new Map(counted.map(({ _id, count }) => [_id, count]));
  const { namespace } = space;
  return documents.map((document) => {
    const runningCount = counts.get(nodeName(document)) ?? 0;
    return fromNodeDocument(document, { namespace, runningCount });
  });
}
