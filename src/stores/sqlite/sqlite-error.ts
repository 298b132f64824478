import { BatchError } from '../../core/store/index.ts';

const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** The file ends before the data it should hold. */
const IOERR_SHORT_READ = 522;

type Text = (file: string) => { readonly problem: string; readonly remedy: string };

const busy: Text = (file) => ({
  problem: `another program is writing to ${file}`,
  remedy: 'Close that program: the file belongs to one Batchyard process.',
});

const denied: Text = (file) => ({
  problem: `${file} cannot be written`,
  remedy: 'Let this user write the file and the directory it is in, or name another file.',
});

const TEXTS: ReadonlyMap<number, Text> = new Map([
  [BUSY, busy],
  [LOCKED, busy],
  [PERM, denied],
  [READONLY, denied],
  [CANTOPEN, denied],
  [
    FULL,
    (file) => ({
      problem: `the disk that holds ${file} is full`,
      remedy: 'Free some space and try again; nothing of this call was kept.',
    }),
  ],
  [
    IOERR,
    (file) => ({
      problem: `the disk failed under ${file}`,
      remedy: 'Check the disk, then start again.',
    }),
  ],
  [
    CORRUPT,
    (file) => ({
      problem: `${file} is damaged`,
      remedy: `Restore a backup, or save what can be read: sqlite3 ${file} .recover`,
    }),
  ],
  [
    NOTADB,
    (file) => ({
      problem: `${file} is not an SQLite database`,
      remedy: 'Name another file.',
    }),
  ],
]);

/** The kind of trouble SQLite had, or null when the error is not SQLite's. */
export function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  if (typeof error.errcode !== 'number') return null;
  return error.errcode === IOERR_SHORT_READ ? CORRUPT : error.errcode & 0xff;
}

/** STORE_UNAVAILABLE for what the file and its disk can do to us; null for any other error. */
export function toUnavailable(error: unknown, file: string): BatchError | null {
  const text = TEXTS.get(codeOf(error) ?? 0);
  return text ? new BatchError('STORE_UNAVAILABLE', text(file), { cause: error }) : null;
}

/** After these nobody knows what reached the disk: only a fresh start reads it again. */
export function leavesDoubt(error: unknown): boolean {
  return [IOERR, CORRUPT, NOTADB].includes(codeOf(error) ?? 0);
}

export function isBusy(error: unknown): boolean {
  return [BUSY, LOCKED].includes(codeOf(error) ?? 0);
}

export function unavailable(problem: string, remedy: string): BatchError {
  return new BatchError('STORE_UNAVAILABLE', { problem, remedy });
}
