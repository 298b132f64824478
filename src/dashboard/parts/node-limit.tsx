import { useState } from 'preact/hooks';
import type { Node as YardNode } from '../../core/index.ts';
import { tell, tellProblem } from '../notices.ts';
import { countText } from '../number-text.ts';
import { engine } from '../session.ts';
import { refreshYard } from '../yard.ts';

/** The limit over all queues of a node: shown, and changed in place. */
export function NodeLimit({ node }: { node: YardNode }) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && !/^\d*$/.test(typed.trim());

  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (typed === null || isWrong) return;
    const maxRunning = typed.trim() === '' ? null : Number(typed);
    try {
      await engine.value.nodes.set(node.name, { maxRunning });
      tell(
        maxRunning === null
          ? `Node ${node.name} has no limit but its slots.`
          : `Node ${node.name} runs at most ${countText(maxRunning)}.`,
      );
      setTyped(null);
      refreshYard();
    } catch (error) {
      tellProblem(error);
    }
  };

  if (typed === null) {
    return (
      <button
        type="button"
        class="quiet small"
        aria-label={`Change the limit of ${node.name}`}
        onClick={() => setTyped(node.maxRunning === null ? '' : String(node.maxRunning))}
      >
        {node.maxRunning === null ? 'none' : countText(node.maxRunning)}
      </button>
    );
  }
  return (
    <form class="limit-form" onSubmit={save}>
      <input
        type="text"
        inputMode="numeric"
        size={5}
        placeholder="none"
        aria-label={`Limit of ${node.name}; empty for none`}
        aria-invalid={isWrong}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="small primary" disabled={isWrong}>
        Set
      </button>
      <button type="button" class="quiet small" onClick={() => setTyped(null)}>
        Back
      </button>
      {isWrong && (
        <small class="bad" role="alert">
          A whole number, or nothing for no limit
        </small>
      )}
    </form>
  );
}
