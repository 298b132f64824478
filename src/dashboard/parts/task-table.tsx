import { keyText, type Task } from '../../core/index.ts';
import { linkTo } from '../address.ts';
import { toJsonLine } from '../json-text.ts';
import { countText } from '../number-text.ts';
import { durationText } from '../time-text.ts';
import { now } from '../yard.ts';
import { Ago } from './instant.tsx';
import { StateMark } from './state-mark.tsx';

interface Props {
  readonly tasks: readonly Task[];
  readonly hasQueue: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
}

export function TaskTable({ tasks, hasQueue, selected, onSelect }: Props) {
  const ids = tasks.map(({ id }) => id);
  return (
    <div class="table-scroll">
      <table class="table task-table">
        <thead>
          <tr>
            <th class="check">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={ids.length > 0 && ids.every((id) => selected.has(id))}
                onChange={(event) => onSelect(ids, event.currentTarget.checked)}
              />
            </th>
            <th>State</th>
            <th>Task</th>
            {hasQueue && <th>Queue</th>}
            <th class="wide-only">Params or error</th>
            <th class="number wide-only">Attempts</th>
            <th class="number wide-only">Created</th>
            <th>What now</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <Row
              key={task.id}
              task={task}
              hasQueue={hasQueue}
              isSelected={selected.has(task.id)}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<Props, 'hasQueue' | 'onSelect'> {
  readonly task: Task;
  readonly isSelected: boolean;
}

function Row({ task, hasQueue, isSelected, onSelect }: RowProps) {
  const name = task.key === null ? task.id : keyText(task.key);
  return (
    <tr class={isSelected ? 'selected' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select task ${name.slice(0, 60)}`}
          checked={isSelected}
          onChange={(event) => onSelect([task.id], event.currentTarget.checked)}
        />
      </td>
      <td>
        <StateMark state={task.state} />
      </td>
      <th scope="row">
        <a data-row class="name task-name" href={linkTo({ page: 'task', id: task.id })}>
          {name.slice(0, 200)}
        </a>
      </th>
      {hasQueue && (
        <td>
          <a class="name" href={linkTo({ page: 'queue', queue: task.queue })}>
            {task.queue}
          </a>
        </td>
      )}
      <td class="wide-only detail">
        {task.error === null ? (
          <code>{toJsonLine(task.params, 160)}</code>
        ) : (
          <span class="bad isolate">{task.error.slice(0, 160)}</span>
        )}
      </td>
      <td class="number wide-only">{countText(task.claimCount)}</td>
      <td class="number wide-only">
        <Ago at={task.createdAt} />
      </td>
      <td>
        <Activity task={task} />
      </td>
    </tr>
  );
}

function Activity({ task }: { task: Task }) {
  const { attempt } = task;
  if (attempt) {
    const since = attempt.startedAt ?? attempt.claimedAt;
    return (
      <span class="isolate">
        {durationText(now.value.getTime() - since.getTime())}
        {attempt.node !== '' && ` on ${attempt.node}`}
        {task.cancelRequestedAt && ', stopping'}
      </span>
    );
  }
  if (task.endedAt) {
    return (
      <span>
        ended <Ago at={task.endedAt} />
      </span>
    );
  }
  if (task.state === 'delayed' && task.notBefore) {
    return (
      <span>
        starts <Ago at={task.notBefore} />
      </span>
    );
  }
  return (
    <span class="faint">{task.hold ?? (task.tryCount > 0 ? 'to be tried again' : 'waits')}</span>
  );
}
