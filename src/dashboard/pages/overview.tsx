import { useState } from 'preact/hooks';
import { TASK_STATES, type TaskCounts } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { useLive } from '../live.ts';
import { countOf, countText, rateText } from '../number-text.ts';
import { readOldestWaiting } from '../oldest-waiting.ts';
import { CommandLines } from '../parts/command-lines.tsx';
import { EmptyYard } from '../parts/empty-yard.tsx';
import { Icon } from '../parts/icon.tsx';
import { NodeGlance } from '../parts/node-table.tsx';
import { QueueTable } from '../parts/queue-table.tsx';
import { RateChart } from '../parts/rate-chart.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { engine } from '../session.ts';
import { sumCounts, waitingCount } from '../task-words.ts';
import { findTimeLeft } from '../time-text.ts';
import { nodes, type QueueRow, queueRows, throughput } from '../yard.ts';

const OLDEST_EVERY_MS = 5000;

export function OverviewPage() {
  const rows = queueRows.value;
  if (rows === null) return <p class="loading">Reading the yard…</p>;
  const totals = sumCounts(rows.map(({ counts }) => counts));
  return (
    <>
      <h1 class="unseen">Overview</h1>
      {rows.length === 0 ? (
        <EmptyYard />
      ) : (
        <>
          <Pulse totals={totals} />
          <Queues rows={rows} />
        </>
      )}
      <Nodes />
    </>
  );
}

/** How fast it goes, and how much there is. */
function Pulse({ totals }: { totals: TaskCounts }) {
  const { rate } = throughput.value;
  const waiting = waitingCount(totals);
  const timeLeft = findTimeLeft(totals.queued, rate);
  return (
    <section class="card pulse" aria-label="Totals">
      <div class="pulse-top">
        <div class="pulse-rate">
          <h2>Finished per second</h2>
          <p class="huge">{rateText(rate)}</p>
          <p class="soft">{countText(waiting)} waiting</p>
          {timeLeft !== null && <p class="soft">about {timeLeft} left at this rate</p>}
        </div>
        <RateChart />
      </div>
      <ul class="totals">
        {TASK_STATES.map((state) => (
          <li key={state}>
            <a
              class={`total state-${state}${totals[state] === 0 ? ' total-none' : ''}`}
              href={linkTo({ page: 'tasks', state })}
            >
              <span class="total-count">{countText(totals[state])}</span>
              <span class="total-word">
                <Icon name={state} />
                {state}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Queues({ rows }: { rows: readonly QueueRow[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const shown = rows.filter(({ queue }) => queue.name.toLowerCase().includes(wanted));
  const oldest = useLive(() => readOldestWaiting(engine.value, shown), OLDEST_EVERY_MS, [
    engine.value,
    search,
  ]);
  return (
    <section class="card" aria-label="Queues">
      <div class="card-head">
        <h2>
          Queues <span class="faint">{countText(rows.length)}</span>
        </h2>
        {rows.length > 5 && <SearchField label="Filter queues" text={search} onText={setSearch} />}
      </div>
      <QueueTable rows={shown} oldest={oldest.value ?? new Map()} />
      {shown.length === 0 && <p class="empty">No queue’s name holds “{search}”.</p>}
    </section>
  );
}

const NODES_AT_A_GLANCE = 12;

function Nodes() {
  const all = nodes.value;
  return (
    <section class="card" aria-label="Nodes">
      <div class="card-head">
        <h2>
          Nodes <span class="faint">{countText(all.length)}</span>
        </h2>
        {all.length > 0 && <a href={linkTo({ page: 'nodes' })}>Drain, cordon, limits</a>}
      </div>
      {all.length === 0 ? (
        <div class="empty">
          <CommandLines
            lines={[
              {
                what: 'No node runs tasks yet. Start one beside this server, or on any machine that reaches it.',
                command: 'batchyard node',
              },
            ]}
          />
        </div>
      ) : (
        <NodeGlance nodes={all.slice(0, NODES_AT_A_GLANCE)} />
      )}
      {all.length > NODES_AT_A_GLANCE && (
        <a class="more" href={linkTo({ page: 'nodes' })}>
          Show all {countOf(all.length, 'node')}
        </a>
      )}
    </section>
  );
}
