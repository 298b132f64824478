import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

/** Something is wrong, or soon will be; said where it matters. */
export function Trouble({
  kind = 'warn',
  children,
}: {
  kind?: 'warn' | 'bad';
  children: ComponentChildren;
}) {
  return (
    <div class={`trouble trouble-${kind}`} role={kind === 'bad' ? 'alert' : 'note'}>
      <Icon name="warn" />
      <div>{children}</div>
    </div>
  );
}
