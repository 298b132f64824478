import { useEffect, useRef, useState } from 'preact/hooks';
import { systemClock } from '../../core/index.ts';
import { Icon } from './icon.tsx';

const PAUSE_MS = 250;

interface Props {
  readonly label: string;
  readonly text: string;
  /** Called when typing pauses. */
  readonly onText: (text: string) => void;
}

export function SearchField({ label, text, onText }: Props) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<Disposable | null>(null);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => () => timer.current?.[Symbol.dispose](), []);
  return (
    <label class="search">
      <Icon name="search" />
      <input
        data-search
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={1000}
        value={typed}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          timer.current?.[Symbol.dispose]();
          timer.current = systemClock.after(PAUSE_MS, () => onText(next));
        }}
      />
      <kbd>/</kbd>
    </label>
  );
}
