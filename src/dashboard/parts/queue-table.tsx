import { useState } from 'preact/hooks';
import { linkTo } from '../address.ts';
import { countText, rateText } from '../number-text.ts';
import { limitsText } from '../queue-words.ts';
import { liveCount, troubleCount, waitingCount } from '../task-words.ts';
import { findTimeLeft } from '../time-text.ts';
import { type QueueRow, throughput } from '../yard.ts';
import { Ago } from './instant.tsx';
import { SortHead, useSort } from './sort-head.tsx';
import { StateBar } from './state-bar.tsx';

interface Props {
  readonly rows: readonly QueueRow[];
  /** When the oldest queued task of a queue was made, where that is known. */
  readonly oldest: ReadonlyMap<string, Date>;
}

const ROWS_AT_ONCE = 100;

export function QueueTable({ rows, oldest }: Props) {
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const { rates } = throughput.value;
  const sort = useSort<QueueRow>('name', {
    name: (row) => row.queue.name,
    waiting: (row) => -waitingCount(row.counts),
    running: (row) => -liveCount(row.counts),
    done: (row) => -row.counts.succeeded,
    failed: (row) => -troubleCount(row.counts),
    rate: (row) => -(rates.get(row.queue.name) ?? 0),
  });
  return (
    <>
      <div class="table-scroll">
        <table class="table queue-table">
          <thead>
            <tr>
              <SortHead sort={sort} by="name">
                Queue
              </SortHead>
              <th class="bar-column">Progress</th>
              <SortHead sort={sort} by="waiting" isNumber>
                Waiting
              </SortHead>
              <SortHead sort={sort} by="running" isNumber>
                Running
              </SortHead>
              <SortHead sort={sort} by="done" isNumber isWide>
                Succeeded
              </SortHead>
              <SortHead sort={sort} by="failed" isNumber>
                Failed
              </SortHead>
              <SortHead sort={sort} by="rate" isNumber isWide>
                Per second
              </SortHead>
              <th class="number wide-only">Oldest waiting</th>
            </tr>
          </thead>
          <tbody>
            {sort
              .apply(rows)
              .slice(0, most)
              .map((row) => (
                <Row
                  key={row.queue.id}
                  row={row}
                  rate={rates.get(row.queue.name) ?? 0}
                  oldest={oldest.get(row.queue.name) ?? null}
                />
              ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && (
        <button type="button" class="more" onClick={() => setMost(most + 5 * ROWS_AT_ONCE)}>
          Show more of {countText(rows.length)} queues
        </button>
      )}
    </>
  );
}

function Row({ row, rate, oldest }: { row: QueueRow; rate: number; oldest: Date | null }) {
  const { queue, counts } = row;
  const waiting = waitingCount(counts);
  const trouble = troubleCount(counts);
  const timeLeft = findTimeLeft(counts.queued, rate);
  const limits = limitsText(queue);
  return (
    <tr>
      <th scope="row">
        <a data-row class="name" href={linkTo({ page: 'queue', queue: queue.name })}>
          {queue.name}
        </a>
        {queue.paused && <span class="badge badge-paused">paused</span>}
        {limits !== '' && <small class="faint isolate">{limits}</small>}
        <span class="bar-narrow">
          <StateBar counts={counts} />
        </span>
      </th>
      <td class="bar-column">
        <StateBar counts={counts} />
      </td>
      <CountCell value={waiting} note={timeLeft && `${timeLeft} left`} />
      <CountCell value={liveCount(counts)} />
      <CountCell value={counts.succeeded} isWide />
      <td class={`number${trouble > 0 ? ' bad' : ' none'}`}>
        {trouble > 0 ? (
          <a href={linkTo({ page: 'queue', queue: queue.name, state: worstState(row) })}>
            {countText(trouble)}
          </a>
        ) : (
          '0'
        )}
      </td>
      <td class={`number wide-only${rate > 0 ? '' : ' none'}`}>
        {rate > 0 ? rateText(rate) : '–'}
      </td>
      <td class={`number wide-only${oldest && waiting > 0 ? '' : ' none'}`}>
        {oldest && waiting > 0 ? <Ago at={oldest} /> : '–'}
      </td>
    </tr>
  );
}

function CountCell(props: { value: number; note?: string | null; isWide?: boolean }) {
  const kind = `number${props.value === 0 ? ' none' : ''}${props.isWide ? ' wide-only' : ''}`;
  return (
    <td class={kind}>
      {countText(props.value)}
      {props.note && <small class="faint">{props.note}</small>}
    </td>
  );
}

function worstState({ counts }: QueueRow): 'failed' | 'terminated' | 'orphaned' {
  if (counts.failed > 0) return 'failed';
  return counts.orphaned > 0 ? 'orphaned' : 'terminated';
}
