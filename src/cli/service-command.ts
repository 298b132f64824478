/** What up, serve and node have in common. */

import type { Config } from '../app/config.ts';
import { isRoot } from '../app/root-user.ts';
import type { AppContext } from '../app/serve.ts';
import { findUnknownVariables } from '../app/unknown-variables.ts';
import { runUntilStopped, type Stoppable } from '../app/until-stopped.ts';
import type { Session } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

/** Logs go to stderr: as text where a person looks, as JSON lines elsewhere. */
export async function openContext(session: Session, format: Config['log']): Promise<AppContext> {
  const { stderr, clock, random, version, environment } = session;
  const isTerminal = stderr.isTTY === true;
  const { createLogger } = await import('../app/logger.ts');
  const logger = createLogger({
    format: format === 'auto' ? (isTerminal ? 'text' : 'json') : format,
    stream: stderr,
    clock,
    hasColours: isTerminal && !environment.NO_COLOR,
  });
  for (const problem of findUnknownVariables(environment)) {
    logger.warn('config.unknown-variable', { problem });
  }
  return { clock, random, logger, version };
}

export function warnRoot({ logger }: AppContext): void {
  if (!isRoot()) return;
  logger.warn('programs.run-as-root', {
    advice: 'Programs of queues run as root here; start it as an ordinary user where you can.',
  });
}

export async function serveUntilStopped(session: Session, running: Stoppable): Promise<ExitCode> {
  const { stop, out, stderr } = session;
  const tell = (): void => out.note('Stopping; a second Ctrl-C stops running tasks at once.');
  // The log says so as well; between its JSON lines words would be in the way.
  if (stderr.isTTY) stop.addEventListener('abort', tell, { once: true });
  const { isHurried } = await runUntilStopped(running, session);
  return isHurried ? EXIT.interrupted : EXIT.ok;
}
