import { localText, relativeText } from '../time-text.ts';
import { now } from '../yard.ts';

/** An instant as its distance from now; the exact one is its title. */
export function Ago({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={at.toISOString()}>
      {relativeText(at, now.value)}
    </time>
  );
}

/** An instant in local time, with its distance from now beside it. */
export function Instant({ at }: { at: Date | null }) {
  if (at === null) return <span class="faint">–</span>;
  return (
    <time dateTime={at.toISOString()} title={at.toISOString()}>
      {localText(at)} <span class="faint">{relativeText(at, now.value)}</span>
    </time>
  );
}
