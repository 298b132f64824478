import { linkTo } from '../address.ts';
import type { Place } from '../route.ts';

export function Crumbs({ steps }: { steps: readonly { text: string; place: Place }[] }) {
  return (
    <nav class="crumbs" aria-label="Where this is">
      {steps.map(({ text, place }) => (
        <span key={text}>
          <a class="isolate" href={linkTo(place)}>
            {text}
          </a>
          <span aria-hidden="true"> / </span>
        </span>
      ))}
    </nav>
  );
}
