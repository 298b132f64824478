import { FlagError } from '../app/config.ts';
import { isLoopbackUrl } from '../app/listen-address.ts';
import { StartError } from '../app/start-error.ts';
import { BatchError, type ErrorKind } from '../core/index.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import { toPlainLine } from './terminal-text.ts';
import { UsageError } from './usage-error.ts';

const EXIT_BY_KIND: Readonly<Record<ErrorKind, ExitCode>> = {
  invalid: EXIT.usage,
  'too-large': EXIT.usage,
  'not-found': EXIT.failed,
  conflict: EXIT.failed,
  forbidden: EXIT.failed,
  unauthenticated: EXIT.unavailable,
  unavailable: EXIT.unavailable,
  internal: EXIT.failed,
};

/** Tells what went wrong, and gives the exit code for it. */
export function reportFailure(error: unknown, out: Output): ExitCode {
  if (error instanceof BatchError) {
    const message = toPlainLine(toMessage(error));
    const { code, details } = error;
    out.problem(message, { error: { code, message, details } });
    return EXIT_BY_KIND[error.kind];
  }
  if (error instanceof UsageError || error instanceof FlagError) {
    out.problem(error.message, { error: { code: 'USAGE', message: error.message } });
    return EXIT.usage;
  }
  if (error instanceof StartError) {
    out.problem(error.message, { error: { code: 'START', message: error.message } });
    return EXIT.unavailable;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  out.problem(`This should not have happened; please report it.\n${text}`);
  return EXIT.failed;
}

/** A sentence of ours for what people meet most; else the error's own. */
export function toMessage(error: BatchError): string {
  const { url = '', remedy = '' } = error.details;
  // Something else may answer there, or too slowly; the error itself says so best.
  if (error.code === 'SERVER_UNREACHABLE' && remedy.startsWith('Start it')) {
    return isLoopbackUrl(url)
      ? `No server answers at ${url}. Start it with: batchyard up`
      : `No server answers at ${url}. Check the address (--server or BATCHYARD_SERVER) and the network.`;
  }
  if (error.code === 'UNAUTHENTICATED') {
    return remedy.startsWith('send')
      ? 'The server wants to know who you are: give an access token with --token or BATCHYARD_TOKEN.'
      : `The server does not let you in: ${remedy}`;
  }
  return error.message;
}
