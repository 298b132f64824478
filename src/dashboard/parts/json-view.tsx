import { useMemo } from 'preact/hooks';
import type { Json } from '../../core/index.ts';
import { MOST_SHOWN, toJsonPieces, toPrettyJson } from '../json-text.ts';
import { bytesText } from '../number-text.ts';
import { CopyButton } from './copy-button.tsx';

export function JsonView({ title, value }: { title: string; value: Json }) {
  const pretty = useMemo(() => toPrettyJson(value), [value]);
  const shown = useMemo(
    () =>
      toJsonPieces(pretty).map(({ kind, text }, index) => (
        <span key={index} class={`json-${kind}`}>
          {text}
        </span>
      )),
    [pretty],
  );
  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        <CopyButton text={pretty} what={title.toLowerCase()} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <pre class="json" tabIndex={0}>
        {shown}
      </pre>
      {pretty.length > MOST_SHOWN && (
        <p class="faint">
          The first {bytesText(MOST_SHOWN)} of {bytesText(pretty.length)}; Copy takes all.
        </p>
      )}
    </section>
  );
}
