import { dismiss, notices } from '../notices.ts';
import { Icon } from './icon.tsx';

export function NoticeList() {
  return (
    <section class="notices" aria-label="Notices" aria-live="polite">
      {notices.value.map(({ number, kind, text, link }) => (
        <div key={number} class={`notice notice-${kind}`}>
          <Icon name={kind === 'done' ? 'succeeded' : 'warn'} />
          <p>
            {text} {link && <a href={link.href}>{link.text}</a>}
          </p>
          <button
            type="button"
            class="quiet small"
            aria-label="Dismiss"
            onClick={() => dismiss(number)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </section>
  );
}
