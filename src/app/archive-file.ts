import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { QueueDigest } from '../core/archive/archive-digest.ts';
import type { ArchiveRecord } from '../core/archive/archive-record.ts';
import { BatchError, invalid } from '../core/index.ts';
import { decodeRecord, encodeRecord } from './archive-line.ts';

export const ARCHIVE_FORMAT = 'batchyard-archive';
export const ARCHIVE_VERSION = 1;

interface Header {
  readonly format: string;
  readonly version: number;
  readonly createdAt: string;
}

export interface ArchiveFooter {
  readonly kind: 'end';
  readonly records: number;
  readonly queues: readonly QueueDigest[];
  /** SHA-256 of all lines before this one, in hex. */
  readonly hash: string;
}

export interface ArchiveFileWriter {
  write(record: ArchiveRecord): Promise<void>;
  /** Writes the last line; only then the file has its name. */
  end(queues: readonly QueueDigest[]): Promise<{ readonly bytes: number }>;
  /** Leaves no file behind. */
  discard(): void;
}

const LINE_FEED = 10;

const isPacked = (path: string): boolean => path.endsWith('.gz');

/** Writes beside the file, `FILE.part`, until it is whole. */
export function openArchiveWriter(path: string, createdAt: Date): ArchiveFileWriter {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  const packer = isPacked(path) ? createGzip({ level: 6 }) : null;
  packer?.pipe(file);
  const target: Writable = packer ?? file;
  const hash = createHash('sha256');
  let records = 0;
  let failure: Error | null = null;
  let wake: (() => void) | null = null;
  const noteFailure = (error: Error): void => {
    failure ??= error;
    wake?.();
  };
  file.on('error', noteFailure);
  packer?.on('error', noteFailure);
  target.on('drain', () => wake?.());

  async function writeLine(line: string): Promise<void> {
    hash.update(line).update('\n');
    if (failure === null && !target.write(`${line}\n`)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = null;
    }
    if (failure) throw cannotWrite(path, failure);
  }

  const header: Header = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    createdAt: createdAt.toISOString(),
  };
  const begun = writeLine(JSON.stringify(header));
  return {
    async write(record) {
      await begun;
      records += 1;
      await writeLine(encodeRecord(record));
    },
    async end(queues) {
      await begun;
      const footer: ArchiveFooter = {
        kind: 'end',
        records,
        queues,
        hash: hash.copy().digest('hex'),
      };
      await writeLine(JSON.stringify(footer));
      target.end();
      await finished(file).catch((error) => {
        throw cannotWrite(path, error);
      });
      renameSync(part, path);
      return { bytes: file.bytesWritten };
    },
    discard() {
      target.destroy();
      file.destroy();
      rmSync(part, { force: true });
    },
  };
}

function cannotWrite(path: string, error: unknown): BatchError {
  const why = error instanceof Error ? error.message : String(error);
  return new BatchError(
    'STORE_UNAVAILABLE',
    { problem: `${path} cannot be written (${why})`, remedy: 'Name another place.' },
    { cause: error },
  );
}

/**
 * The records of a file, read as they are taken. Throws INVALID_REQUEST, with the number of the line,
 * for a file that is cut, damaged, of another format or of a later version.
 */
export async function* readArchiveFile(
  path: string,
  onEnd: (footer: ArchiveFooter) => void = () => {},
): AsyncGenerator<ArchiveRecord, void> {
  if (!existsSync(path)) throw invalid(path, 'there is no such file', 'Name a backup');
  const hash = createHash('sha256');
  let footer: ArchiveFooter | null = null;
  let number = 0;
  let records = 0;
  for await (const line of readLines(path)) {
    number += 1;
    if (footer) throw invalid(`${path}, line ${number}`, 'the archive ended before', DAMAGED);
    const value = parseLine(path, number, line);
    if (number === 1) checkHeader(path, value);
    else if (value.kind === 'end') footer = checkFooter({ path, number, value, records, hash });
    else {
      const record = decodeRecord(value);
      if (typeof record === 'string') throw invalid(`${path}, line ${number}`, record, DAMAGED);
      records += 1;
      yield record;
    }
    hash.update(line).update('\n');
  }
  if (footer) return onEnd(footer);
  if (number === 0) throw invalid(path, 'the file is empty', 'Name a backup');
  throw invalid(`${path}, line ${number + 1}`, 'the file ends before its last line', CUT);
}

const DAMAGED = 'The file was changed or damaged: use another backup';
const CUT = 'It was cut off: use another backup, or copy this one again from where it came';

/** The bytes of each line that a line feed ends; a text may hold any other sign that ends lines elsewhere. */
async function* readLines(path: string): AsyncGenerator<Buffer, void> {
  const file = createReadStream(path);
  const input: Readable = isPacked(path) ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => input.destroy(error));
  let pieces: Buffer[] = [];
  try {
    for await (const bytes of input as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
        yield Buffer.concat([...pieces, bytes.subarray(from, end)]);
        pieces = [];
        from = end + 1;
      }
      if (from < bytes.length) pieces.push(bytes.subarray(from));
    }
  } catch (error) {
    if (error instanceof BatchError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw invalid(path, `the file cannot be read to its end (${why})`, CUT);
  } finally {
    file.destroy();
  }
}

function parseLine(path: string, number: number, line: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // said below
  }
  const remedy = number === 1 ? 'Name a file that batchyard backup wrote' : DAMAGED;
  throw invalid(`${path}, line ${number}`, 'that is not a JSON document', remedy);
}

function checkHeader(path: string, header: Record<string, unknown>): void {
  if (header.format !== ARCHIVE_FORMAT) {
    throw invalid(
      `${path}, line 1`,
      'that is no backup',
      'Name a file that batchyard backup wrote',
    );
  }
  if (header.version !== ARCHIVE_VERSION) {
    throw invalid(
      `${path}, line 1`,
      `the backup is of version ${JSON.stringify(header.version)}, this program reads ${ARCHIVE_VERSION}`,
      'Use the Batchyard that wrote it, or a later one',
    );
  }
}

function checkFooter(last: {
  readonly path: string;
  readonly number: number;
  readonly value: Record<string, unknown>;
  readonly records: number;
  readonly hash: Hash;
}): ArchiveFooter {
  const { path, number, value, records, hash } = last;
  const where = `${path}, line ${number}`;
  if (value.records !== records) {
    throw invalid(where, `${value.records} records were written, ${records} are there`, DAMAGED);
  }
  if (value.hash !== hash.copy().digest('hex')) {
    throw invalid(where, 'the hash differs from that of the lines before', DAMAGED);
  }
  return value as unknown as ArchiveFooter;
}
