import { useState } from 'preact/hooks';
import { isId } from '../../core/index.ts';
import { goTo, linkTo, namespace, route } from '../address.ts';
import { isHelpOpen } from '../keyboard.ts';
import { connection, isPaused } from '../live.ts';
import { toHash } from '../route.ts';
import { isSignedIn, signInReason, signOut } from '../session.ts';
import { switchTheme, theme } from '../theme.ts';
import { namespaces, queueRows } from '../yard.ts';
import { Icon } from './icon.tsx';

export function Header() {
  const { page } = route.value;
  const link = (to: 'overview' | 'tasks' | 'nodes', text: string) => (
    <a href={linkTo({ page: to })} aria-current={page === to ? 'page' : undefined}>
      {text}
    </a>
  );
  return (
    <header class="header">
      <a class="brand" href={linkTo({ page: 'overview' })}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect class="brand-ground" width="32" height="32" rx="7" />
          <path class="brand-track" d="M6.5 9h19" />
          <path class="brand-switch" d="M6.5 16h8c5 0 4-7 11-7" />
          <path class="brand-track brand-far" d="M6.5 23h12c4 0 3-7 7-7" />
        </svg>
        Batchyard
      </a>
      {/* Who has not said who they are can go nowhere yet. */}
      {signInReason.value === null && (
        <>
          <nav aria-label="Pages">
            {link('overview', 'Overview')}
            {link('tasks', 'Tasks')}
            {link('nodes', 'Nodes')}
          </nav>
          <NamespaceChoice />
          <Jump />
          <LiveMark />
        </>
      )}
      <div class="header-buttons">
        <button
          type="button"
          class="quiet icon-only"
          aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
          title={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
          onClick={switchTheme}
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
        <button
          type="button"
          class="quiet icon-only help-button"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          ?
        </button>
        {isSignedIn.value && (
          <button type="button" class="quiet small" onClick={signOut}>
            Sign out
          </button>
        )}
      </div>
    </header>
  );
}

const LIVE_WORDS = {
  connecting: 'Connecting…',
  live: 'Live',
  away: 'Reconnecting…',
} as const;

/** Whether what is shown is what is; and the switch that stops it from moving. */
function LiveMark() {
  const state = isPaused.value && connection.value === 'live' ? 'paused' : connection.value;
  return (
    <div class="live">
      <span class={`live-mark live-${state}`} role="status">
        <i />
        {state === 'paused' ? 'Paused' : LIVE_WORDS[state]}
      </span>
      <button
        type="button"
        class="quiet icon-only"
        aria-pressed={isPaused.value}
        aria-label="Pause updates"
        title={isPaused.value ? 'Resume updates (p)' : 'Pause updates (p)'}
        onClick={() => {
          isPaused.value = !isPaused.value;
        }}
      >
        <Icon name={isPaused.value ? 'play' : 'pause'} />
      </button>
    </div>
  );
}

function NamespaceChoice() {
  const all = new Set([...namespaces.value, namespace.value]);
  if (all.size < 2) return null;
  return (
    <select
      class="namespace"
      aria-label="Namespace"
      value={namespace.value}
      onChange={(event) => {
        location.hash = toHash({ page: 'overview' }, event.currentTarget.value);
      }}
    >
      {[...all].map((name) => (
        <option key={name} value={name}>
          {name === '' ? '(no name)' : name}
        </option>
      ))}
    </select>
  );
}

/** Goes to a task by its id, to a queue by its name, and otherwise looks for the text in all tasks. */
function Jump() {
  const [text, setText] = useState('');
  const go = (event: Event): void => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    const isQueue = queueRows.value?.some(({ queue }) => queue.name === wanted);
    if (isId(wanted)) goTo({ page: 'task', id: wanted });
    else if (isQueue) goTo({ page: 'queue', queue: wanted });
    else goTo({ page: 'tasks', search: wanted });
    setText('');
  };
  return (
    <search class="jump">
      <form class="search" onSubmit={go}>
        <Icon name="search" />
        <input
          data-search
          type="search"
          aria-label="Find a queue, a task id or text in tasks"
          placeholder="Queue, task id or text"
          list="queue-names"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <kbd>/</kbd>
        <datalist id="queue-names">
          {queueRows.value?.slice(0, 200).map(({ queue }) => (
            <option key={queue.id} value={queue.name} />
          ))}
        </datalist>
      </form>
    </search>
  );
}
