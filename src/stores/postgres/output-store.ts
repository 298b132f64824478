import type { OutputChunk, OutputStore } from '../../core/store/index.ts';
import { toByteas, toNumbers } from './array-literal.ts';
import { fromStreamCode, toStreamCode } from './codes.ts';
import type { Database } from './database.ts';
import type { Steps } from './steps.ts';
import { isIdHex } from './task-rows.ts';
import { fromHex, toHex } from './values.ts';

interface ChunkRow {
  readonly number: number;
  readonly stream: number;
  readonly offset: number;
  readonly at: number;
  readonly bytes: string;
}

// Locked against an end of the attempt meanwhile.
const HELD_SQL = `
  select q.id as "queueId" from tasks t join queues q on q.row = t.queue and q.fate < 2
  where t.id = $1::bytea and t.fence = $2 and t.state + 0 in (3, 4) and q.namespace = $3
  for share of t`;
const APPEND_SQL = `
  insert into outputs (task, fence, number, stream, "offset", at, bytes)
  select $1::bytea, $2, e.number, e.stream, e.at_offset, $3::int8, e.bytes
  from unnest($4::int4[], $5::int2[], $6::int8[], $7::bytea[]) e(number, stream, at_offset, bytes)
  on conflict do nothing`;
const COLUMNS = 'o.number, o.stream, o."offset", o.at, o.bytes';
const THERE = `exists (
  select 1 from tasks t join queues q on q.row = t.queue and q.fate < 2 where t.id = o.task)`;
const READ_SQL = `
  select ${COLUMNS} from outputs o
  where o.task = $1::bytea and o.fence = $2 and o.number > $3 and ${THERE}
  order by o.number limit 16`;
const TAIL_SQL = `
  select ${COLUMNS} from outputs o
  where o.task = $1::bytea and o.fence = $2 and o.number < $3 and ${THERE}
  order by o.number desc limit 16`;

const LARGEST_NUMBER = 2 ** 31 - 1;

export function createOutputStore({ database, take }: Steps): OutputStore {
  return {
    async append({ namespace, taskId, fence, chunks }, step) {
      if (!isIdHex(taskId)) return 'lost';
      const id = `\\x${taskId}`;
      return take(
        step,
        async ({ db, now, notes }) => {
          const held = await db.get<{ queueId: string }>(HELD_SQL, id, fence, namespace);
          if (!held) return 'lost';
          await db.run(
            APPEND_SQL,
            id,
            fence,
            now,
            toNumbers(chunks.map(({ number }) => number)),
            toNumbers(chunks.map(({ stream }) => toStreamCode(stream))),
            toNumbers(chunks.map(({ offset }) => offset)),
            toByteas(chunks.map(({ bytes }) => toHex(bytes))),
          );
          notes.note('output', { namespace, queueId: held.queueId });
          return 'kept';
        },
        { isRepeatable: true },
      );
    },

    async read({ after, limitBytes, ...of }) {
      const chunks: OutputChunk[] = [];
      let size = 0;
      for await (const chunk of chunksOf(database, READ_SQL, { ...of, from: after })) {
        size += chunk.bytes.length;
        if (chunks.length > 0 && size > limitBytes) break;
        chunks.push(chunk);
      }
      return chunks;
    },

    async tail({ limitBytes, ...of }) {
      const chunks: OutputChunk[] = [];
      let size = 0;
      for await (const chunk of chunksOf(database, TAIL_SQL, { ...of, from: LARGEST_NUMBER })) {
        if (size >= limitBytes) break;
        size += chunk.bytes.length;
        chunks.push(chunk);
      }
      return chunks.reverse();
    },
  };
}

interface Chunks {
  readonly taskId: string;
  readonly fence: number;
  readonly from: number;
}

/** An attempt's chunks one way from a number on, read no further than they are taken. */
async function* chunksOf(
  database: Database,
  sql: string,
  { taskId, fence, from }: Chunks,
): AsyncGenerator<OutputChunk, void> {
  if (!isIdHex(taskId)) return;
  for (let last: number | undefined = from; last !== undefined; ) {
    const some: ChunkRow[] = await database.look<ChunkRow>(sql, `\\x${taskId}`, fence, last);
    for (const { number, stream, offset, at, bytes } of some) {
      yield {
        number,
        stream: fromStreamCode(stream),
        offset,
        at: new Date(at),
        bytes: fromHex(bytes),
      };
    }
    last = some.at(-1)?.number;
  }
}
