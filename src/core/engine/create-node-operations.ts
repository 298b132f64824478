import { checkLimit, checkOneOf, checkText, checkWhole } from '../domain/check.ts';
import { checkName } from '../domain/namespace.ts';
import { NODE_REPORT_DEFAULTS, NODE_WISHES, type Node, type NodeReport } from '../domain/node.ts';
import { BatchError } from '../errors.ts';
import type { Handle } from './engine-context.ts';
import type { NodeOperations } from './node-operations.ts';
import { once } from './once.ts';
import { pageOf } from './page-of.ts';

const USUAL_TTL_MS = 30_000;
const LONGEST_TTL_MS = 10 * 365 * 86_400_000;

export function createNodeOperations(handle: Handle): NodeOperations {
  const { store, namespace, ids } = handle;
  const missing = (node: string) => new BatchError('NODE_NOT_FOUND', { node, namespace });

  const get = async (name: string): Promise<Node> => {
    const node = await store.nodes.find(namespace, name);
    if (node === null) throw missing(name);
    return node;
  };

  return {
    async heartbeat(name, report = {}, { ttlMs = USUAL_TTL_MS } = {}) {
      checkName('node', name);
      checkWhole('ttlMs', ttlMs, { max: LONGEST_TTL_MS });
      checkReport(report);
      const beat = { id: ids.next(), name, ttlMs, report: { ...NODE_REPORT_DEFAULTS, ...report } };
      const [node] = await store.nodes.heartbeat(namespace, [beat], handle.step());
      if (!node) throw missing(name);
      return node;
    },
    find: (name) => store.nodes.find(namespace, name),
    get,
    async list(page = {}) {
      const { live, parent } = page;
      return store.nodes.list(
        namespace,
        { ...pageOf(page), ...(live && { live }), ...(parent !== undefined && { parent }) },
        handle.step(),
      );
    },
    async set(name, change, options) {
      if (change.wish !== undefined) checkOneOf('wish', change.wish, NODE_WISHES);
      if (change.maxRunning !== undefined) checkLimit('maxRunning', change.maxRunning);
      await once(handle, options, ['nodes.set', name, change], async (step) => {
        const node = await store.nodes.update(namespace, name, change, step);
        if (node === null) throw missing(name);
        return node;
      });
      return get(name);
    },
    async deactivate(name, options) {
      const answer = await once(handle, options, ['nodes.deactivate', name], (step) =>
        store.nodes.deactivate(namespace, name, step),
      );
      if (answer === 'missing') throw missing(name);
    },
    async delete(name, options) {
      const answer = await once(handle, options, ['nodes.delete', name], (step) =>
        store.nodes.delete(namespace, name, step),
      );
      if (answer === 'missing') throw missing(name);
    },
  };
}

function checkReport(report: Partial<NodeReport>): void {
  if (report.slots !== undefined) checkWhole('slots', report.slots, { max: 1_000_000 });
  if (report.parent != null) checkName('parent', report.parent);
  if (report.mode !== undefined) checkText('mode', report.mode, 255);
}
