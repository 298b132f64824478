import pg from 'pg';
import type { Clock, StoreChange } from '../../core/store/index.ts';
import { type Place, toClientConfig } from './connection-options.ts';

/** Tells the other processes on the schema what has changed here, and hears what changed there. */
export interface Wakeups {
  /** From the first call on it listens. */
  listen(): void;
  tell(changes: readonly StoreChange[]): void;
  close(): Promise<void>;
}

export interface WakeupOptions extends Place {
  readonly clock: Clock;
  readonly random: () => number;
  /** Names this process to itself: what it told it need not hear. */
  readonly instance: string;
  readonly hear: (changes: readonly StoreChange[]) => void;
}

/** Messages at most so often; what happens meanwhile goes together. */
const PAUSE_MS = 5;
const LONGEST_MESSAGE = 7500;
const LONGEST_RETRY_MS = 5000;

type Told = readonly [kind: StoreChange['kind'], namespace: string, queueId: string];

export function createWakeups(options: WakeupOptions): Wakeups {
  const { schema, clock, random, instance, hear } = options;
  const channel = `batchyard.${schema}`.slice(0, 63);
  const pending = new Map<string, Told>();
  let client: pg.Client | null = null;
  let isWanted = false;
  let isSending = false;
  let isClosed = false;
  let failures = 0;
  let connecting: Promise<void> = Promise.resolve();
  let retry: Disposable | null = null;
  let pause: Disposable | null = null;

  async function connect(): Promise<void> {
    const config = toClientConfig(options, 'lists', false);
    const fresh = new pg.Client({
      ...config,
      // Lost with a crash of the server, as all who listen are.
      options: `${config.options} -c synchronous_commit=off`,
      application_name: 'batchyard wake-ups',
    });
    let isGone = false;
    const onGone = (): void => {
      if (isGone) return;
      isGone = true;
      if (client === fresh) client = null;
      connectLater();
    };
    fresh.on('error', onGone);
    fresh.on('end', onGone);
    fresh.on('notification', ({ payload = '' }) => receive(payload));
    try {
      await fresh.connect();
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      onGone();
      return;
    }
    if (isClosed) return void (await fresh.end());
    failures = 0;
    client = fresh;
    void send();
  }

  /** With jitter, so that many processes do not come back all at once. */
  function connectLater(): void {
    if (isClosed) return;
    failures += 1;
    const ceiling = Math.min(LONGEST_RETRY_MS, 50 * 2 ** failures);
    retry = clock.after(random() * ceiling, () => {
      connecting = connect();
    });
  }

  function receive(payload: string): void {
    const [from, ...told] = JSON.parse(payload) as [string, ...Told[]];
    if (from === instance) return;
    hear(told.map(([kind, namespace, queueId]) => ({ kind, namespace, queueId })));
  }

  async function send(): Promise<void> {
    if (isSending || !client || pending.size === 0) return;
    isSending = true;
    try {
      for (const message of takeMessages()) {
        await client?.query({
          name: 'tell',
          text: 'select pg_notify($1, $2)',
          values: [channel, message],
        });
      }
    } catch {
      // A hint that got lost: the others look by themselves.
    }
    pause = clock.after(PAUSE_MS, () => {
      isSending = false;
      void send();
    });
  }

  function takeMessages(): string[] {
    const messages: string[] = [];
    let told: Told[] = [];
    let size = 0;
    const close = (): void => {
      if (told.length > 0) messages.push(JSON.stringify([instance, ...told]));
      told = [];
      size = 0;
    };
    for (const one of pending.values()) {
      const length = Buffer.byteLength(JSON.stringify(one)) + 1;
      if (size + length > LONGEST_MESSAGE) close();
      told.push(one);
      size += length;
    }
    close();
    pending.clear();
    return messages;
  }

  return {
    listen() {
      if (isWanted || isClosed) return;
      isWanted = true;
      connecting = connect();
    },
    tell(changes) {
      if (!isWanted) return;
      for (const { kind, namespace, queueId } of changes) {
        pending.set(`${kind} ${queueId}`, [kind, namespace, queueId]);
      }
      void send();
    },
    async close() {
      isClosed = true;
      for (const timer of [retry, pause]) timer?.[Symbol.dispose]();
      await connecting;
      await client?.end();
    },
  };
}
