import {
  type Attempt,
  BatchError,
  isFinal,
  keyText,
  type Task,
  type WhyAnswer,
} from '../../core/index.ts';
import { useLive } from '../live.ts';
import { AttemptTable } from '../parts/attempt-table.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { OutputView } from '../parts/output-view.tsx';
import { StateMark } from '../parts/state-mark.tsx';
import { TaskActions } from '../parts/task-actions.tsx';
import { TaskFacts } from '../parts/task-facts.tsx';
import { Trouble } from '../parts/trouble.tsx';
import type { Place } from '../route.ts';
import { engine } from '../session.ts';

type TaskPlace = Extract<Place, { page: 'task' }>;

interface Read {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
  /** null while it runs or has ended. */
  readonly why: WhyAnswer | null;
}

const EVERY_MS = 1000;
/** What has ended seldom changes. */
const EVERY_MS_ENDED = 5000;

export function TaskPage({ place }: { place: TaskPlace }) {
  const read = useLive(() => readTask(place.id), paceOf, [engine.value, place.id]);
  if (read.error) return <Trouble kind="bad">{read.error}</Trouble>;
  if (read.value === null) return <p class="loading">Reading the task…</p>;
  if (read.value === 'missing') {
    return <Trouble kind="bad">No task {place.id} here. It may have been deleted.</Trouble>;
  }
  return <Found place={place} read={read.value} onChange={read.refresh} />;
}

function Found(props: { place: TaskPlace; read: Read; onChange: () => void }) {
  const { task, attempts, why } = props.read;
  const name = task.key === null ? task.id : keyText(task.key);
  const fence = props.place.fence ?? attempts.at(-1)?.fence ?? null;
  const isStopping = task.cancelRequestedAt !== null && task.attempt !== null;
  return (
    <>
      <Crumbs
        steps={[
          { text: 'Overview', place: { page: 'overview' } },
          { text: task.queue, place: { page: 'queue', queue: task.queue } },
        ]}
      />
      <div class="page-head">
        <div class="task-title">
          <StateMark state={task.state} large />
          <h1 class="task-name isolate">{name.slice(0, 300)}</h1>
        </div>
        <TaskActions task={task} onChange={props.onChange} />
      </div>
      {isStopping && <Trouble>It was asked to stop; its node is ending it.</Trouble>}
      {why && <Why why={why} />}
      {task.error !== null && (
        <Trouble kind="bad">
          <p class="error-text isolate">{task.error}</p>
        </Trouble>
      )}
      <div class="columns">
        <div class="column-main">
          {fence !== null && <OutputView key={fence} taskId={task.id} fence={fence} />}
          {attempts.length > 0 && <AttemptTable attempts={attempts} chosen={fence} />}
          <JsonView title="Params" value={task.params} />
          {task.result !== null && (
            <JsonView
              title={task.attempt === null ? 'Result' : 'Reported so far'}
              value={task.result}
            />
          )}
        </div>
        <TaskFacts task={task} />
      </div>
    </>
  );
}

/** Why it is not running, by the rules that decide it. */
function Why({ why }: { why: WhyAnswer }) {
  return (
    <section class="card why" aria-label="Why it is not running">
      <h2>Why it is not running</h2>
      <ul>
        {why.reasons.map(({ code, text }) => (
          <li key={code} class="isolate">
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function paceOf(read: Read | 'missing'): number {
  return read === 'missing' || isFinal(read.task.state) ? EVERY_MS_ENDED : EVERY_MS;
}

async function readTask(id: string): Promise<Read | 'missing'> {
  const { tasks, attempts } = engine.value;
  try {
    const task = await tasks.get(id);
    const isAsked = !isFinal(task.state) && task.state !== 'running';
    const [list, why] = await Promise.all([
      task.claimCount === 0 ? [] : attempts.list(id),
      isAsked ? tasks.why(id) : null,
    ]);
    return { task, attempts: list, why };
  } catch (error) {
    if (error instanceof BatchError && error.code === 'TASK_NOT_FOUND') return 'missing';
    throw error;
  }
}
