import { useState } from 'preact/hooks';
import type { TaskSelection } from '../../core/index.ts';
import { countOf } from '../number-text.ts';
import { ACTION_WORDS, ACTIONS, type Action } from '../task-words.ts';
import { BulkDialog } from './bulk-dialog.tsx';

interface Props {
  readonly selected: ReadonlySet<string>;
  /** What the list is narrowed to. */
  readonly selection: TaskSelection;
  /** There may be more that match than the page shows. */
  readonly hasMore: boolean;
  readonly onDone: () => void;
  readonly onClear: () => void;
}

/** What can be done with what is selected. */
export function BulkBar({ selected, selection, hasMore, onDone, onClear }: Props) {
  const [action, setAction] = useState<Action | null>(null);
  const [isAll, setAll] = useState(false);
  return (
    <fieldset class="bulk-bar" aria-label="Selected tasks">
      <span class="bulk-count" role="status">
        {isAll ? 'All that match are selected' : `${countOf(selected.size, 'task')} selected`}
      </span>
      {hasMore && !isAll && (
        <button type="button" class="quiet small" onClick={() => setAll(true)}>
          Select all that match
        </button>
      )}
      <span class="bulk-actions">
        {ACTIONS.map((one) => (
          <button
            key={one}
            type="button"
            class={`small${ACTION_WORDS[one].danger ? ' danger-text' : ''}`}
            onClick={() => setAction(one)}
          >
            {ACTION_WORDS[one].verb}…
          </button>
        ))}
        <button type="button" class="quiet small" onClick={onClear}>
          Clear
        </button>
      </span>
      {action && (
        <BulkDialog
          action={action}
          selection={isAll ? selection : { ids: [...selected] }}
          tickedCount={isAll ? null : selected.size}
          onClose={(isDone) => {
            setAction(null);
            if (isDone) onDone();
          }}
        />
      )}
    </fieldset>
  );
}
