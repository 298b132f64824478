import type { OutputChunk, OutputStore } from '../../core/store/index.ts';
import { fromStreamCode, isLiveCode, toStreamCode } from './codes.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { findTask, findTaskAnywhere } from './task-rows.ts';

type ChunkTuple = readonly [
  number: number,
  stream: number,
  offset: number,
  at: number,
  bytes: Uint8Array,
];

const COLUMNS = 'number, stream, offset, at, bytes';
export const APPEND_SQL = `
  insert into outputs (task, fence, number, stream, offset, at, bytes)
  values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`;
const READ_SQL = `
  select ${COLUMNS} from outputs where task = ? and fence = ? and number > ?
  order by number limit 16`;
const TAIL_SQL = `
  select ${COLUMNS} from outputs where task = ? and fence = ? and number < ?
  order by number desc limit 16`;

export function createOutputStore({ session, look, take }: Steps): OutputStore {
  const { db, queues, changes } = session;
  return {
    append: ({ namespace, taskId, fence, chunks }, step) =>
      take(step, (now) => {
        const task = findTask(session, namespace, taskId);
        if (!task || !isLiveCode(task.state) || task.fence !== fence) return 'lost';
        for (const { number, stream, offset, bytes } of chunks) {
          const code = toStreamCode(stream);
          db.run(APPEND_SQL, task.row, fence, number, code, offset, now, bytes);
        }
        changes.output({ namespace, queueId: queues.getByRow(task.queue).queue.id });
        return 'kept';
      }),

    read: ({ after, limitBytes, ...of }) =>
      look(() => {
        const chunks: OutputChunk[] = [];
        let size = 0;
        for (const chunk of chunksOf(session, READ_SQL, { ...of, from: after })) {
          size += chunk.bytes.length;
          if (chunks.length > 0 && size > limitBytes) break;
          chunks.push(chunk);
        }
        return chunks;
      }),

    tail: ({ limitBytes, ...of }) =>
      look(() => {
        const chunks: OutputChunk[] = [];
        let size = 0;
        for (const chunk of chunksOf(session, TAIL_SQL, { ...of, from: Number.MAX_SAFE_INTEGER })) {
          if (size >= limitBytes) break;
          size += chunk.bytes.length;
          chunks.push(chunk);
        }
        return chunks.reverse();
      }),
  };
}

/** An attempt's chunks one way from a number on, read no further than they are taken. */
function* chunksOf(
  session: Session,
  sql: string,
  {
    taskId,
    fence,
    from,
  }: { readonly taskId: string; readonly fence: number; readonly from: number },
): Generator<OutputChunk, void> {
  const task = findTaskAnywhere(session, taskId);
  if (!task) return;
  for (let last: number | undefined = from; last !== undefined; ) {
    const some: ChunkTuple[] = session.db.tuples<ChunkTuple>(sql, [task.row, fence, last]);
    for (const tuple of some) yield toChunk(tuple);
    last = some.at(-1)?.[0];
  }
}

function toChunk([number, stream, offset, at, bytes]: ChunkTuple): OutputChunk {
  return { number, stream: fromStreamCode(stream), offset, at: new Date(at), bytes };
}
