import { useState } from 'preact/hooks';
import { systemClock } from '../../core/index.ts';
import { tellProblem } from '../notices.ts';
import { Icon } from './icon.tsx';

/** Puts a text on the clipboard and says so for a moment. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      systemClock.after(1500, () => setDone(false));
    } catch (error) {
      tellProblem(error);
    }
  };
  // Browsers give the clipboard to secure pages only; a button that cannot work is none.
  if (!isSecureContext) return null;
  return (
    <button type="button" class="quiet small" aria-label={`Copy ${what}`} onClick={copy}>
      <Icon name={isDone ? 'succeeded' : 'copy'} />
      {isDone ? 'Copied' : 'Copy'}
    </button>
  );
}
