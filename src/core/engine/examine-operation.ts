import { FINDING_LEVELS, type Finding, fine, warning } from '../domain/finding.ts';
import type { Node } from '../domain/node.ts';
import { nodeReasons } from '../rules/waiting-reasons.ts';
import type { QueueHead } from '../store/queue-store.ts';
import { type EngineContext, storeNow } from './engine-context.ts';

/** A clock that differs less is nobody's concern. */
const CLOCK_TOLERANCE_MS = 1000;
const MOST_NODES = 1000;
const SEE_WHY = 'batchyard task why ID says more of one of them';

/** Everything that can be found out without changing anything, the worst first. */
export async function examine(context: EngineContext): Promise<readonly Finding[]> {
  const { store } = context;
  const findings = [...(await store.examine(context.step())), await examineClock(context)];
  const now = await storeNow(context);
  for (const { name } of await store.namespaces.list()) {
    const step = context.step();
    const page = { after: null, limit: MOST_NODES, live: false };
    const { items: nodes } = await store.nodes.list(name, page, step);
    const heads = await store.queues.heads(name, step);
    findings.push(
      ...examineNodes(nodes, context.version, now),
      ...examineQueues(heads, nodes, now),
    );
  }
  const rank = ({ level }: Finding): number => FINDING_LEVELS.indexOf(level);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

async function examineClock({ store, clock }: EngineContext): Promise<Finding> {
  const before = clock.now().getTime();
  const there = (await store.now()).getTime();
  const after = clock.now().getTime();
  // Between the two it was asked, so that much of a difference is none.
  const offsetMs = there < before ? there - before : Math.max(0, there - after);
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  if (Math.abs(offsetMs) < CLOCK_TOLERANCE_MS)
    return fine('clock', 'This clock and the store’s agree.');
  return warning(
    'clock',
    `The store's clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this server's.`,
    'Leases and delays go by the store’s clock and are safe; set the clocks by NTP, so that times in logs can be compared.',
  );
}

function examineNodes(nodes: readonly Node[], version: string, now: Date): Finding[] {
  const findings: Finding[] = [];
  for (const node of nodes) {
    const isLive = node.active && node.expiresAt > now;
    const topic = `node ${node.name}`;
    if (!isLive && node.runningCount > 0) {
      findings.push(
        warning(
          topic,
          `It was last heard of at ${node.heartbeatAt.toISOString()} and holds ${tasks(node.runningCount)}.`,
          'They come back when their leases end; start the node again, or delete it.',
        ),
      );
    }
    if (isLive && node.version !== '' && node.version !== version) {
      findings.push(
        warning(
          topic,
          `It runs version ${node.version}, this server ${version}.`,
          'Update the older one.',
        ),
      );
    }
  }
  return findings;
}

function examineQueues(heads: readonly QueueHead[], nodes: readonly Node[], now: Date): Finding[] {
  const live = nodes.filter(({ active, expiresAt }) => active && expiresAt > now);
  const findings: Finding[] = [];
  for (const { queue, counts } of heads) {
    const topic = `queue ${queue.name}`;
    if (counts.queued === 0) continue;
    if (queue.paused) {
      findings.push(fine(topic, `It is paused, with ${tasks(counts.queued)} waiting.`));
    } else if (live.length === 0) {
      findings.push(
        warning(
          topic,
          `${tasks(counts.queued)} waiting, and no node is live.`,
          'Start one: batchyard node',
        ),
      );
    } else {
      const reasons = nodeReasons(queue, live).filter(({ code }) => code !== 'nodes-busy');
      const text = reasons.map((reason) => reason.text).join(' ');
      if (text !== '')
        findings.push(warning(topic, `${tasks(counts.queued)} waiting. ${text}`, SEE_WHY));
    }
  }
  return findings;
}

function tasks(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`;
}
