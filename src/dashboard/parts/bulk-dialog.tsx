import { useEffect, useState } from 'preact/hooks';
import type { TaskSelection } from '../../core/index.ts';
import { tell } from '../notices.ts';
import { countOf, countText } from '../number-text.ts';
import { engine, toWords } from '../session.ts';
import { ACTION_WORDS, type Action, statesFor } from '../task-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Props {
  readonly action: Action;
  /** The same selection the list shows, or the ids that were ticked. */
  readonly selection: TaskSelection;
  /** How many were ticked; null when the selection is a filter. */
  readonly tickedCount: number | null;
  readonly onClose: (isDone: boolean) => void;
}

/** Counts first, on the server, what the action would change; then asks; then does it there. */
export function BulkDialog({ action, selection, tickedCount, onClose }: Props) {
  const [count, setCount] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const words = ACTION_WORDS[action];
  const filter = narrowed(selection, action);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      setProblem(toWords(error));
    } finally {
      setBusy(false);
    }
  };

  useEffect(() => {
    void attempt(async () => {
      const { matched } = await engine.value.tasks.bulk({ action, filter, dryRun: true });
      setCount(matched);
    });
  }, []);

  const act = (): void => {
    setBusy(true);
    void attempt(async () => {
      const { changed } = await engine.value.tasks.bulk({ action, filter });
      tell(`${countOf(changed, 'task')} ${words.done}.`);
      onClose(true);
    });
  };

  const passedOver = tickedCount === null || count === null ? 0 : tickedCount - count;
  return (
    <ConfirmDialog
      title={
        count === null
          ? `${words.verb} tasks: counting…`
          : `${words.verb} ${countOf(count, 'task')}?`
      }
      verb={isBusy ? 'Working…' : words.verb}
      danger={words.danger}
      disabled={isBusy || count === null || count === 0}
      onConfirm={act}
      onClose={() => onClose(false)}
    >
      <p>{words.meaning}</p>
      {passedOver > 0 && (
        <p>
          {countText(passedOver)} of the {countText(tickedCount ?? 0)} you selected cannot be
          changed this way in their state and stay as they are.
        </p>
      )}
      {count === 0 && <p>No task is in a state for it now.</p>}
      {problem && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Only states the action works on, so that the count is what will change. */
function narrowed(selection: TaskSelection, action: Action): TaskSelection {
  const possible = statesFor(action);
  const states = selection.states?.filter((state) => possible.includes(state)) ?? possible;
  return { ...selection, states };
}
