import type { Attempt, AttemptOutcome } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { durationText } from '../time-text.ts';
import { now } from '../yard.ts';
import { Icon, type IconName } from './icon.tsx';
import { Instant } from './instant.tsx';

interface Props {
  readonly attempts: readonly Attempt[];
  /** The one whose output is shown. */
  readonly chosen: number | null;
}

/** Every try at a task, the newest first; choosing one shows its output. */
export function AttemptTable({ attempts, chosen }: Props) {
  return (
    <section class="card" aria-label="Attempts">
      <div class="card-head">
        <h2>
          Attempts <span class="faint">{attempts.length}</span>
        </h2>
      </div>
      <div class="table-scroll">
        <table class="table">
          <thead>
            <tr>
              <th>Attempt</th>
              <th>Outcome</th>
              <th>Node</th>
              <th class="wide-only">Started</th>
              <th class="wide-only">Ended</th>
              <th class="number">Took</th>
              <th class="number">Code</th>
            </tr>
          </thead>
          <tbody>
            {attempts.toReversed().map((attempt) => (
              <Row key={attempt.fence} attempt={attempt} isChosen={attempt.fence === chosen} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ attempt, isChosen }: { attempt: Attempt; isChosen: boolean }) {
  const { taskId, fence, startedAt, endedAt, outcome, error, code, late } = attempt;
  return (
    <tr class={isChosen ? 'selected' : ''}>
      <th scope="row">
        <a
          data-row
          href={linkTo({ page: 'task', id: taskId, fence })}
          aria-current={isChosen ? 'true' : undefined}
          aria-label={`Show the output of attempt ${fence}`}
        >
          {fence}
        </a>
      </th>
      <td>
        <OutcomeMark outcome={outcome} isStarted={startedAt !== null} />
        {error !== null && <small class="bad isolate">{error.slice(0, 300)}</small>}
        {late && <small class="faint">later it reported {late.outcome}</small>}
      </td>
      <td class="isolate">{attempt.node || <span class="faint">–</span>}</td>
      <td class="wide-only">
        <Instant at={startedAt} />
      </td>
      <td class="wide-only">
        <Instant at={endedAt} />
      </td>
      <td class="number">{startedAt && durationText(length(startedAt, endedAt ?? now.value))}</td>
      <td class="number">{code ?? <span class="faint">–</span>}</td>
    </tr>
  );
}

const OUTCOMES: Readonly<Record<AttemptOutcome, { icon: IconName; tone: string }>> = {
  succeeded: { icon: 'succeeded', tone: 'succeeded' },
  failed: { icon: 'failed', tone: 'failed' },
  'timed-out': { icon: 'delayed', tone: 'failed' },
  cancelled: { icon: 'cancelled', tone: 'terminated' },
  orphaned: { icon: 'orphaned', tone: 'orphaned' },
  released: { icon: 'queued', tone: 'queued' },
  continued: { icon: 'running', tone: 'claimed' },
};

function OutcomeMark(props: { outcome: AttemptOutcome | null; isStarted: boolean }) {
  const { outcome, isStarted } = props;
  const live = isStarted ? 'running' : 'claimed';
  const { icon, tone } = outcome ? OUTCOMES[outcome] : { icon: live, tone: live };
  return (
    <span class={`state state-${tone}`}>
      <Icon name={icon as IconName} />
      {outcome ?? live}
    </span>
  );
}

function length(from: Date, to: Date): number {
  return to.getTime() - from.getTime();
}
