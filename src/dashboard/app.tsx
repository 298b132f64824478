import { useEffect, useRef } from 'preact/hooks';
import { linkTo, route } from './address.ts';
import { isHelpOpen } from './keyboard.ts';
import { connection } from './live.ts';
import { NodesPage } from './pages/nodes.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { QueuePage } from './pages/queue.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { TaskPage } from './pages/task.tsx';
import { TasksPage } from './pages/tasks.tsx';
import { Header } from './parts/header.tsx';
import { HelpDialog } from './parts/help-dialog.tsx';
import { NoticeList } from './parts/notice-list.tsx';
import { Trouble } from './parts/trouble.tsx';
import type { Place } from './route.ts';
import { signInReason } from './session.ts';
import { health, yardError } from './yard.ts';

export function App() {
  const place = route.value;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${titleOf(place)} – Batchyard`;
  }, [place]);
  // Another page is read from its top; another filter of the same one is not.
  useEffect(() => {
    scrollTo(0, 0);
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [titleOf(place)]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Header />
      <main ref={main} tabIndex={-1}>
        {connection.value === 'away' && (
          <Trouble>
            The server does not answer. What is shown is what it said last; this page goes on by
            itself when it is back.
          </Trouble>
        )}
        {yardError.value && signInReason.value === null && (
          <Trouble kind="bad">{yardError.value}</Trouble>
        )}
        {signInReason.value === null ? <Page place={place} /> : <SignInPage />}
      </main>
      <Footer />
      <NoticeList />
      {isHelpOpen.value && <HelpDialog />}
    </>
  );
}

function Page({ place }: { place: Place }) {
  switch (place.page) {
    case 'overview':
      return <OverviewPage />;
    case 'queue':
      return <QueuePage key={place.queue} place={place} />;
    case 'tasks':
      return <TasksPage place={place} />;
    case 'task':
      return <TaskPage key={place.id} place={place} />;
    case 'nodes':
      return <NodesPage />;
    default:
      return (
        <Trouble kind="bad">
          There is nothing at this address. Go to the{' '}
          <a href={linkTo({ page: 'overview' })}>overview</a>.
        </Trouble>
      );
  }
}

function Footer() {
  const known = health.value;
  return (
    <footer class="footer faint">
      {known && (
        <>
          Batchyard {known.version}, store: {known.store}
          {!known.durable && ' (keeps nothing when it stops)'}
        </>
      )}
    </footer>
  );
}

function titleOf(place: Place): string {
  switch (place.page) {
    case 'queue':
      return place.queue;
    case 'task':
      return `Task ${place.id}`;
    case 'tasks':
      return 'Tasks';
    case 'nodes':
      return 'Nodes';
    default:
      return 'Overview';
  }
}
