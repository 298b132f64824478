#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { systemClock, systemRandom } from '../core/index.ts';
import { EXIT } from './exit-code.ts';
import { runCommandLine } from './run.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const stop = new AbortController();
const hurry = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (hurry.signal.aborted) process.exit(EXIT.interrupted);
    (stop.signal.aborted ? hurry : stop).abort();
  });
}

// `batchyard task list | head`: the reader has seen enough, which is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

const code = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  cwd: process.cwd(),
  environment: process.env,
  clock: systemClock,
  random: systemRandom,
  version,
  stop: stop.signal,
  hurry: hurry.signal,
});
// Waiting requests and open keep-alive sockets must not hold an ended command.
process.stdout.write('', () => process.exit(code));
