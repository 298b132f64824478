import { useState } from 'preact/hooks';
import { BatchError, type Queue } from '../../core/index.ts';
import { useLive } from '../live.ts';
import { tell, tellProblem } from '../notices.ts';
import { countText, rateText } from '../number-text.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { Icon } from '../parts/icon.tsx';
import { StateBar } from '../parts/state-bar.tsx';
import { SubmitDialog } from '../parts/submit-dialog.tsx';
import { TaskList } from '../parts/task-list.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { queueSayings } from '../queue-words.ts';
import type { Place } from '../route.ts';
import { engine } from '../session.ts';
import { liveCount, totalCount, troubleCount, waitingCount } from '../task-words.ts';
import { findTimeLeft } from '../time-text.ts';
import { type QueueRow, queueRows, refreshYard, throughput } from '../yard.ts';

const EVERY_MS = 4000;

type QueuePlace = Extract<Place, { page: 'queue' }>;

export function QueuePage({ place }: { place: QueuePlace }) {
  // The list of queues is not read to its end when there are very many: this one is asked for by name.
  const own = useLive(() => findQueue(place.queue), EVERY_MS, [engine.value, place.queue]);
  const row = queueRows.value?.find(({ queue }) => queue.name === place.queue) ?? null;
  const queue = row?.queue ?? own.value;
  if (own.error) return <Trouble kind="bad">{own.error}</Trouble>;
  if (queue === 'missing') {
    return <Trouble kind="bad">No queue “{place.queue.slice(0, 100)}” in this namespace.</Trouble>;
  }
  if (queue === null) return <p class="loading">Reading the queue…</p>;
  return (
    <>
      <Crumbs steps={[{ text: 'Overview', place: { page: 'overview' } }]} />
      <QueueHead queue={queue} onChange={own.refresh} />
      {row && <QueueSummary row={row} />}
      <QueueSettings queue={queue} />
      <TaskList place={place} counts={row?.counts ?? null} />
    </>
  );
}

async function findQueue(name: string): Promise<Queue | 'missing'> {
  try {
    return await engine.value.queues.get(name);
  } catch (error) {
    if (error instanceof BatchError && error.code === 'QUEUE_NOT_FOUND') return 'missing';
    throw error;
  }
}

function QueueHead({ queue, onChange }: { queue: Queue; onChange: () => void }) {
  const [isSubmitting, setSubmitting] = useState(false);
  const switchPaused = async (): Promise<void> => {
    const { queues } = engine.value;
    try {
      const changed = queue.paused
        ? await queues.resume(queue.name)
        : await queues.pause(queue.name);
      tell(
        changed.paused
          ? 'The queue is paused: what runs goes on, nothing new starts.'
          : 'The queue goes on.',
      );
      onChange();
      refreshYard();
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <div class="page-head">
      <h1 class="isolate">
        {queue.name}
        {queue.paused && <span class="badge badge-paused">paused</span>}
      </h1>
      <div class="page-actions">
        <button type="button" onClick={switchPaused}>
          <Icon name={queue.paused ? 'play' : 'pause'} />
          {queue.paused ? 'Resume queue' : 'Pause queue'}
        </button>
        <button type="button" class="primary" onClick={() => setSubmitting(true)}>
          <Icon name="plus" />
          Submit a task
        </button>
      </div>
      {isSubmitting && <SubmitDialog queue={queue.name} onClose={() => setSubmitting(false)} />}
    </div>
  );
}

function QueueSummary({ row: { queue, counts } }: { row: QueueRow }) {
  const rate = throughput.value.rates.get(queue.name) ?? 0;
  const timeLeft = findTimeLeft(counts.queued, rate);
  const ended = counts.succeeded + troubleCount(counts) + counts.cancelled;
  const total = totalCount(counts);
  const facts = [
    { name: 'waiting', text: countText(waitingCount(counts)) },
    { name: 'running', text: countText(liveCount(counts)) },
    { name: 'ended', text: countText(ended) },
    { name: 'per second', text: rateText(rate) },
    { name: 'left at this rate', text: timeLeft ?? '–' },
  ];
  return (
    <section class="card" aria-label="Progress">
      <div class="facts-row">
        {facts.map(({ name, text }) => (
          <p key={name}>
            <strong>{text}</strong>
            <span class="faint">{name}</span>
          </p>
        ))}
        {total > 0 && (
          <p>
            <strong>{countText(Math.floor((ended / total) * 100))} %</strong>
            <span class="faint">done</span>
          </p>
        )}
      </div>
      <div class="bar-large">
        <StateBar counts={counts} />
      </div>
    </section>
  );
}

function QueueSettings({ queue }: { queue: Queue }) {
  const sayings = queueSayings(queue);
  return (
    <details class="card settings">
      <summary>
        <span class="settings-title">How it works</span>
        <span class="settings-gist isolate">
          {sayings
            .slice(0, 2)
            .map(({ text }) => text)
            .join('; ')}
        </span>
      </summary>
      <dl class="facts">
        {sayings.map(({ about, text }) => (
          <div key={about}>
            <dt>{about}</dt>
            <dd class="isolate">{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
