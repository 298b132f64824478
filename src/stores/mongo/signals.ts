/**
 * Tells other processes what may have become claimable, through a collection of ours that they
 * watch. Only where the server has change streams; elsewhere everybody looks by himself.
 */
import type { ChangeStreamDocument } from 'mongodb';
import type { Clock, StoreChange } from '../../core/store/index.ts';
import { fromDocumentId } from './ids.ts';
import type { Spaces } from './spaces.ts';

export interface Signals {
  /** Soon, and together with what else comes meanwhile. */
  publish(changes: readonly StoreChange[]): void;
  /** Starts to watch, if it does not yet. */
  listen(): void;
  close(): Promise<void>;
}

interface SignalDocument {
  /** Which process. */
  readonly _id: string;
  readonly changes: readonly StoreChange[];
}

export interface SignalOptions {
  readonly spaces: Spaces;
  readonly clock: Clock;
  readonly name: string;
  deliver(changes: readonly StoreChange[]): void;
}

export const NO_SIGNALS: Signals = { publish() {}, listen() {}, async close() {} };

const GATHER_MS = 20;
const MOST_TOGETHER = 200;
const AGAIN_MS = 1000;

export function createSignals({ spaces, clock, name, deliver }: SignalOptions): Signals {
  const signals = spaces.shared.collection<SignalDocument>('batchyard.signals');
  const gathered = new Map<string, StoreChange>();
  const closing = new AbortController();
  let timer: Disposable | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  let isWatching = false;
  let stream: ReturnType<typeof openStream> | null = null;

  function flush(): void {
    timer = null;
    const changes = [...gathered.values()].slice(0, MOST_TOGETHER);
    gathered.clear();
    // A hint: one that is lost is made up for by whoever looks.
    const options = { upsert: true, writeConcern: { w: 1 } } as const;
    writing = signals.replaceOne({ _id: name }, { changes }, options).catch(() => {});
  }

  /** What other processes said, and tasks that programs other than ours added. */
  function openStream() {
    const said = { 'ns.coll': signals.collectionName, 'documentKey._id': { $ne: name } };
    const foreign = { 'ns.coll': 'tasks', 'fullDocument.batchyard': { $exists: false } };
    const inserted = { operationType: 'insert' };
    return spaces.shared.watch([
      {
        $match: {
          $or: [
            { ...said, operationType: { $in: ['insert', 'replace'] } },
            { ...foreign, ...inserted },
          ],
        },
      },
      { $project: { 'fullDocument.changes': 1, 'fullDocument.queue': 1 } },
    ]);
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        stream = openStream();
        for await (const event of stream) deliver(changesOf(event));
      } catch {
        // The server went away, or the history it keeps is too short: begin anew.
      }
      await clock.sleep(AGAIN_MS, closing.signal);
    }
  }

  return {
    publish(changes) {
      if (changes.length === 0 || closing.signal.aborted) return;
      for (const one of changes) gathered.set(`${one.kind} ${one.queueId} ${one.namespace}`, one);
      timer ??= clock.after(GATHER_MS, flush);
    },
    listen() {
      if (isWatching) return;
      isWatching = true;
      void watch();
    },
    async close() {
      closing.abort();
      timer?.[Symbol.dispose]();
      // Not waited for: the server answers an open question only after a second. The connection is
      // closed next, and that ends it.
      stream?.close().catch(() => {});
      await writing;
      await signals.deleteOne({ _id: name });
    },
  };
}

function changesOf(event: ChangeStreamDocument): readonly StoreChange[] {
  const { changes, queue } =
    'fullDocument' in event
      ? (event.fullDocument as Partial<SignalDocument & { queue: unknown }>)
      : {};
  if (changes) return changes;
  return queue === undefined
    ? []
    : [{ kind: 'ready', namespace: 'default', queueId: fromDocumentId(queue) }];
}
