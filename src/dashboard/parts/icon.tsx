import type { TaskState } from '../../core/index.ts';

/** Strokes on a field of 16 by 16. Each state has a shape of its own, so that colour is never alone. */
const PATHS = {
  queued: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11',
  delayed: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 5v3.2l2 1.6',
  held: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M6.5 6v4M9.5 6v4',
  claimed: 'M3 8h8M8 4.5L11.5 8L8 11.5M13.5 3.5v9',
  running: 'M5 3.2l8 4.8l-8 4.8z',
  succeeded: 'M3 8.5l3.4 3.4L13 4.8',
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M4.2 11.8l7.6-7.6',
  terminated: 'M4 4h8v8H4z',
  orphaned: 'M5.6 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.2.9-1.2 1.8M8 12.6v.1',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2l8 4.8l-8 4.8z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.4 10.4l3.1 3.1',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2.5v7.5M4.8 7l3.2 3.2L11.2 7M3 13.5h10',
  down: 'M8 3v9M4.5 8.5L8 12l3.5-3.5',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  warn: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.2v.1',
  up: 'M4.5 10L8 6.5L11.5 10',
} as const satisfies Record<TaskState | string, string>;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
