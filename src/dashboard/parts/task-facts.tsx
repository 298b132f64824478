import type { ComponentChildren } from 'preact';
import { keyText, type Task } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { countText } from '../number-text.ts';
import { CopyButton } from './copy-button.tsx';
import { Instant } from './instant.tsx';

/** All there is to know about a task beside its data and its tries. */
export function TaskFacts({ task }: { task: Task }) {
  const { attempt, notBefore, endedAt } = task;
  const labels = Object.entries(task.labels);
  return (
    <section class="card" aria-label="Facts">
      <div class="card-head">
        <h2>Facts</h2>
        <CopyButton text={task.id} what="the task's id" />
      </div>
      <dl class="facts">
        <Fact name="Id">
          <code>{task.id}</code>
        </Fact>
        {task.key !== null && (
          <Fact name="Key">
            <code class="isolate">{keyText(task.key).slice(0, 500)}</code>
          </Fact>
        )}
        <Fact name="Queue">
          <a class="isolate" href={linkTo({ page: 'queue', queue: task.queue })}>
            {task.queue}
          </a>
        </Fact>
        <Fact name="Created">
          <Instant at={task.createdAt} />
        </Fact>
        {notBefore && (
          <Fact name="Not before">
            <Instant at={notBefore} />
          </Fact>
        )}
        {attempt?.startedAt && (
          <Fact name="Started">
            <Instant at={attempt.startedAt} />
          </Fact>
        )}
        {attempt && (
          <Fact name="Node">
            <span class="isolate">{attempt.node || 'elsewhere'}</span>
          </Fact>
        )}
        {endedAt && (
          <Fact name="Ended">
            <Instant at={endedAt} />
          </Fact>
        )}
        <Fact name="Changed">
          <Instant at={task.updatedAt} />
        </Fact>
        <Fact name="Priority">{countText(task.priority)}</Fact>
        {task.code !== null && <Fact name="Code">{task.code}</Fact>}
        <Fact name="Tries">
          {countText(task.tryCount)} ended
          {task.lossCount > 0 && `, ${countText(task.lossCount)} lost with a node`}
          {task.roundCount > 0 && `, ${countText(task.roundCount)} continuations`}
        </Fact>
        {labels.length > 0 && (
          <Fact name="Labels">
            {labels.map(([name, value]) => (
              <span key={name} class="badge isolate">
                {name}: {value}
              </span>
            ))}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
