import { BatchError } from '../../core/store/index.ts';

interface Trouble {
  readonly problem: string;
  readonly remedy: string;
}

const TEXTS: Readonly<Record<string, (label: string) => Trouble>> = {
  '28P01': (label) => ({
    problem: `${label} refuses the password`,
    remedy: 'Check user and password in the address.',
  }),
  '28000': (label) => ({
    problem: `${label} refuses this user`,
    remedy: 'Check the address and pg_hba.conf.',
  }),
  '3D000': (label) => ({
    problem: `there is no such database: ${label}`,
    remedy: 'Create it (createdb), or name another.',
  }),
  '42501': (label) => ({
    problem: `the user has no right to do this in ${label}`,
    remedy: 'Grant create on the database, or let the owner of the schema migrate.',
  }),
  '53100': (label) => ({
    problem: `the disk of ${label} is full`,
    remedy: 'Free some space and try again; nothing of this call was kept.',
  }),
  '53300': (label) => ({
    problem: `${label} has no connection left`,
    remedy: 'Raise max_connections, or lower the pool sizes.',
  }),
  '25006': (label) => ({
    problem: `${label} takes no writes`,
    remedy: 'Name the primary server in the address.',
  }),
  '57014': (label) => ({
    problem: `${label} took too long to answer`,
    remedy: 'Ask for less, or try again when it is less busy.',
  }),
};

const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  '57P01', // the server is shut down
  '57P02',
  '57P03', // … or starts up
  '57P05',
]);

/** What the driver says where it has no code. */
const LOST_TEXTS =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection)/;

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The server cannot be reached, or went away. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST_CONNECTION.has(code) || code.startsWith('08')) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  return error instanceof Error && LOST_TEXTS.test(error.message);
}

/** Two transactions were in each other's way: the one that gave up is run again. */
export function isCollision(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error));
}

/** STORE_UNAVAILABLE for what the server and the network can do to us; null for any other error. */
export function toUnavailable(error: unknown, label: string): BatchError | null {
  const trouble = TEXTS[codeOf(error)]?.(label);
  if (trouble) return new BatchError('STORE_UNAVAILABLE', { ...trouble }, { cause: error });
  if (!isConnectionLost(error)) return null;
  const problem = `no answer from ${label}`;
  const remedy = 'Check that the server runs and that the address is right.';
  return new BatchError('STORE_UNAVAILABLE', { problem, remedy }, { cause: error });
}

export function unavailable(problem: string, remedy: string): BatchError {
  return new BatchError('STORE_UNAVAILABLE', { problem, remedy });
}
