import { CommandLines } from './command-lines.tsx';

const FIRST_STEPS = [
  {
    what: 'Create a queue, and say what runs its tasks.',
    command: 'batchyard queue create hello --program echo "hello {item}"',
  },
  {
    what: 'Submit a thousand tasks, one for each number.',
    command: 'batchyard submit hello --array 1-1000',
  },
  { what: 'Watch them here, or in the terminal.', command: 'batchyard top' },
];

/** The first thing a new user sees. */
export function EmptyYard() {
  return (
    <section class="card empty-yard" aria-label="First steps">
      <h1>The yard is empty. Three commands fill it.</h1>
      <p class="soft">
        Work arrives as tasks in queues; nodes take it and run it. Type these where Batchyard is
        installed, and watch this page.
      </p>
      <CommandLines lines={FIRST_STEPS} />
    </section>
  );
}
