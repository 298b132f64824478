import type { Node as YardNode } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { nodeCapacity, nodeCondition } from '../node-words.ts';
import { countText } from '../number-text.ts';
import { now } from '../yard.ts';
import { Icon, type IconName } from './icon.tsx';
import { Ago } from './instant.tsx';

/** Slots in use, as a bar and in numbers. */
export function SlotBar({ node }: { node: YardNode }) {
  const capacity = nodeCapacity(node);
  const share = capacity === 0 ? 0 : Math.min(1, node.runningCount / capacity);
  return (
    <span class="slots">
      <svg class="slot-bar" aria-hidden="true">
        <rect class="state-bar-ground" width="100%" height="100%" />
        <rect class="fill-running" width={`${share * 100}%`} height="100%" />
      </svg>
      <span class="slot-count">
        {countText(node.runningCount)} of {countText(capacity)}
      </span>
    </span>
  );
}

const CONDITION_ICONS: Readonly<Record<ReturnType<typeof nodeCondition>, IconName>> = {
  working: 'succeeded',
  draining: 'down',
  drained: 'down',
  cordoned: 'held',
  lost: 'warn',
  gone: 'cancelled',
};

export function ConditionMark({ node }: { node: YardNode }) {
  const condition = nodeCondition(node, now.value);
  return (
    <span class={`state condition-${condition}`}>
      <Icon name={CONDITION_ICONS[condition]} />
      {condition}
    </span>
  );
}

/** Nodes at a glance; the page of nodes has the rest. */
export function NodeGlance({ nodes }: { nodes: readonly YardNode[] }) {
  return (
    <div class="table-scroll">
      <table class="table">
        <thead>
          <tr>
            <th>Node</th>
            <th>State</th>
            <th>Slots used</th>
            <th class="number">Last heartbeat</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.id}>
              <th scope="row">
                <a class="name" href={linkTo({ page: 'tasks', node: node.name })}>
                  {node.name}
                </a>
              </th>
              <td>
                <ConditionMark node={node} />
              </td>
              <td>
                <SlotBar node={node} />
              </td>
              <td class="number">
                <Ago at={node.heartbeatAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
