// `npm start [-- options of batchyard up]`: builds when needed, then runs `batchyard up`.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { build, isStale } from './build.mjs';

try {
  if (isStale()) build();
} catch (error) {
  console.error(`The build failed: ${error.message}.`);
  process.exit(1);
}

const program = join(import.meta.dirname, '../dist/cli/main.js');
const child = spawn(process.execPath, [program, 'up', ...process.argv.slice(2)], {
  stdio: 'inherit',
});

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to the child itself; a second SIGINT would read as "at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  });
}

child.on('error', (error) => {
  console.error(`Batchyard did not start: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal]);
});
