import type { NodeWish, Node as YardNode } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { CONDITION_WORDS, nodeAbilities, nodeCondition } from '../node-words.ts';
import { tell, tellProblem } from '../notices.ts';
import { countText } from '../number-text.ts';
import { CommandLines } from '../parts/command-lines.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Ago } from '../parts/instant.tsx';
import { NodeLimit } from '../parts/node-limit.tsx';
import { ConditionMark, SlotBar } from '../parts/node-table.tsx';
import { engine } from '../session.ts';
import { nodes, now, queueRows, refreshYard } from '../yard.ts';

export function NodesPage() {
  const all = nodes.value;
  if (queueRows.value === null) return <p class="loading">Reading the nodes…</p>;
  return (
    <>
      <Crumbs steps={[{ text: 'Overview', place: { page: 'overview' } }]} />
      <div class="page-head">
        <h1>
          Nodes <span class="faint">{countText(all.length)}</span>
        </h1>
      </div>
      <section class="card" aria-label="Nodes">
        {all.length === 0 ? (
          <div class="empty">
            <CommandLines
              lines={[
                {
                  what: 'No node has been here yet. Start one:',
                  command: 'batchyard node',
                },
              ]}
            />
          </div>
        ) : (
          <Table all={all} />
        )}
      </section>
    </>
  );
}

function Table({ all }: { all: readonly YardNode[] }) {
  return (
    <div class="table-scroll">
      <table class="table stacked">
        <thead>
          <tr>
            <th>Node</th>
            <th>State</th>
            <th>Slots used</th>
            <th>Limit</th>
            <th class="wide-only">Runs</th>
            <th class="wide-only">Where</th>
            <th class="number">Last heartbeat</th>
            <th>What to do</th>
          </tr>
        </thead>
        <tbody>
          {all.map((node) => (
            <Row key={node.id} node={node} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ node }: { node: YardNode }) {
  const condition = nodeCondition(node, now.value);
  const where = [node.host, node.pid === null ? '' : `process ${node.pid}`, node.version];
  return (
    <tr>
      <th scope="row">
        <a data-row class="name" href={linkTo({ page: 'tasks', node: node.name })}>
          {node.name}
        </a>
      </th>
      <td data-name="State" title={CONDITION_WORDS[condition]}>
        <ConditionMark node={node} />
      </td>
      <td data-name="Slots used">
        <SlotBar node={node} />
      </td>
      <td data-name="Limit">
        <NodeLimit node={node} />
      </td>
      <td class="wide-only detail isolate">{nodeAbilities(node)}</td>
      <td class="wide-only detail isolate">{where.filter(Boolean).join(', ')}</td>
      <td class="number" data-name="Last heartbeat">
        <Ago at={node.heartbeatAt} />
      </td>
      <td data-name="What to do">
        <Wishes node={node} />
      </td>
    </tr>
  );
}

const WISH_WORDS: Readonly<Record<NodeWish, { verb: string; title: string; done: string }>> = {
  work: { verb: 'Work', title: 'Take work', done: 'takes work again' },
  drain: { verb: 'Drain', title: 'Finish what it has, take no more', done: 'drains' },
  cordon: { verb: 'Cordon', title: 'Take no more for now', done: 'is cordoned' },
};

function Wishes({ node }: { node: YardNode }) {
  const wish = async (wanted: NodeWish): Promise<void> => {
    try {
      await engine.value.nodes.set(node.name, { wish: wanted });
      tell(`Node ${node.name} ${WISH_WORDS[wanted].done}.`);
      refreshYard();
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <fieldset class="choice" aria-label={`What ${node.name} should do`}>
      {(Object.keys(WISH_WORDS) as NodeWish[]).map((one) => (
        <button
          key={one}
          type="button"
          class="small"
          title={WISH_WORDS[one].title}
          aria-pressed={node.wish === one}
          onClick={() => wish(one)}
        >
          {WISH_WORDS[one].verb}
        </button>
      ))}
    </fieldset>
  );
}
