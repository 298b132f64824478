/** What an attempt wrote, in Disbatch's form: short text in the task itself, long text in GridFS. */
import { createHash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { toDocumentId } from './ids.ts';
import type { Space } from './spaces.ts';
import type { TaskRecord } from './task-record.ts';

export interface FoldedOutput {
  readonly stdout: string | ObjectId | null;
  readonly stderr: string | ObjectId | null;
}

/** Both together stay far below the largest document. */
const MOST_INLINE_BYTES = 256 * 1024;
/** In characters, as Disbatch cuts. */
const CHUNK_SIZE = 261_120;

/** By task, for those whose live attempt has written anything. */
export async function foldOutputs(
  space: Space,
  tasks: readonly TaskRecord[],
): Promise<Map<string, FoldedOutput>> {
  const folded = new Map<string, FoldedOutput>();
  for (const task of tasks) {
    if (task.live && task.wrote) folded.set(task.id, await foldOutput(space, task));
  }
  return folded;
}

async function foldOutput(space: Space, { id, fence }: TaskRecord): Promise<FoldedOutput> {
  const pieces = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const filter = { task: toDocumentId(id), fence };
  for await (const { stream, bytes } of space.output.find(filter).sort({ number: 1 })) {
    if (stream !== 'system') pieces[stream].push(bytes.value());
  }
  return {
    stdout: await toField(space, { id, name: 'stdout', bytes: Buffer.concat(pieces.stdout) }),
    stderr: await toField(space, { id, name: 'stderr', bytes: Buffer.concat(pieces.stderr) }),
  };
}

interface Written {
  readonly id: string;
  readonly name: 'stdout' | 'stderr';
  readonly bytes: Buffer;
}

async function toField(space: Space, written: Written): Promise<string | ObjectId | null> {
  const { bytes } = written;
  if (bytes.length === 0) return null;
  const text = bytes.toString('utf8');
  return bytes.length <= MOST_INLINE_BYTES ? text : writeFile(space, written, text);
}

/** Chunks are text, cut between characters, and come before the file that names them. */
async function writeFile({ db }: Space, { id, name }: Written, text: string): Promise<ObjectId> {
  const fileId = new ObjectId();
  const chunks = db.collection('tasks.chunks');
  const bytes = Buffer.from(text, 'utf8');
  let n = 0;
  for (const data of cutText(text, CHUNK_SIZE)) {
    await chunks.insertOne({ files_id: fileId, n, data });
    n += 1;
  }
  await db.collection('tasks.files').insertOne({
    _id: fileId,
    filename: name,
    metadata: { task_id: toDocumentId(id) },
    uploadDate: new Date(fileId.getTimestamp()),
    chunkSize: CHUNK_SIZE,
    length: bytes.length,
    md5: createHash('md5').update(bytes).digest('hex'),
  });
  return fileId;
}

/** Pieces of so many characters, never half of one. */
function* cutText(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start;
    for (let count = 0; count < size && end < text.length; count++) {
      end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    }
    yield text.slice(start, end);
    start = end;
  }
}
