import type { TaskState } from '../../core/index.ts';
import { Icon } from './icon.tsx';

/** A state as a sign and its word. */
export function StateMark({ state, large = false }: { state: TaskState; large?: boolean }) {
  return (
    <span class={`state state-${state}${large ? ' state-large' : ''}`}>
      <Icon name={state} />
      {state}
    </span>
  );
}
