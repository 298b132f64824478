import { useState } from 'preact/hooks';
import type { Task } from '../../core/index.ts';
import { goTo } from '../address.ts';
import { tell, tellProblem } from '../notices.ts';
import { engine } from '../session.ts';
import { ACTION_WORDS, ACTIONS, type Action, canDo } from '../task-words.ts';
import { refreshYard } from '../yard.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

const MEANINGS: Partial<Record<Action, string>> = {
  cancel: 'If it runs, its node stops it and its processes; if it waits, it will not start.',
  delete: 'It goes away with its attempts and output. This cannot be undone.',
};

/** What can be done to one task in its state. What cannot be taken back is asked about first. */
export function TaskActions({ task, onChange }: { task: Task; onChange: () => void }) {
  const [asking, setAsking] = useState<Action | null>(null);

  const act = async (action: Action): Promise<void> => {
    setAsking(null);
    const { tasks } = engine.value;
    try {
      if (action === 'delete') {
        await tasks.delete(task.id);
        tell('Task deleted.');
        goTo({ page: 'queue', queue: task.queue });
        return;
      }
      const changed = await tasks[action](task.id);
      tell(
        changed.cancelRequestedAt && changed.attempt
          ? 'The node was asked to stop it.'
          : `The task is ${changed.state} now.`,
      );
      onChange();
      refreshYard();
    } catch (error) {
      tellProblem(error);
    }
  };

  const possible = ACTIONS.filter((action) => canDo(action, task.state)).filter(
    (action) => !(action === 'hold' && task.state === 'held'),
  );
  return (
    <div class="page-actions">
      {possible.map((action) => (
        <button
          key={action}
          type="button"
          class={ACTION_WORDS[action].danger ? 'danger-text' : ''}
          onClick={() => (MEANINGS[action] ? setAsking(action) : act(action))}
        >
          {ACTION_WORDS[action].verb}
        </button>
      ))}
      {asking && (
        <ConfirmDialog
          title={`${ACTION_WORDS[asking].verb} this task?`}
          verb={asking === 'cancel' ? 'Cancel the task' : 'Delete the task'}
          danger
          onConfirm={() => act(asking)}
          onClose={() => setAsking(null)}
        >
          <p>{MEANINGS[asking]}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
