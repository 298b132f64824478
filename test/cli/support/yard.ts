import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/app/config.ts';
import { startServer } from '../../../src/app/serve.ts';
import { startUp } from '../../../src/app/up.ts';
import { connectEngine } from '../../../src/client/connect-engine.ts';
import type { Engine } from '../../../src/core/index.ts';
import { silentLogger, systemClock, systemRandom } from '../../../src/core/index.ts';
import {
  type CommandLineOptions,
  type Ended,
  type Running,
  runCommand,
  startCommand,
} from './command-line.ts';

/** A real server on a free port, an empty folder, and command lines that talk to it. */
export interface Yard extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly engine: Engine;
  run(argv: readonly string[], options?: CommandLineOptions): Promise<Ended>;
  /** Each word of the line is an argument. */
  sh(line: string, options?: CommandLineOptions): Promise<Ended>;
  start(argv: readonly string[], options?: CommandLineOptions): Running;
}

export interface YardOptions {
  /** Settings by path, as flags would say them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Without a node, tasks wait. */
  readonly hasNode?: boolean;
}

export async function openYard({
  settings = {},
  hasNode = false,
}: YardOptions = {}): Promise<Yard> {
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-cli-'));
  const { config } = await loadConfig({
    flags: {
      store: 'memory',
      listen: '127.0.0.1:0',
      'node.grace': '0',
      'node.name': 'n1',
      ...settings,
    },
    environment: {},
    file: null,
    cwd: folder,
  });
  const context = {
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    version: '1.2.3',
    environment: { PATH: process.env.PATH ?? '' },
  };
  const server = hasNode ? await startUp(config, context) : await startServer(config, context);
  const { url } = server;
  const withServer = (options: CommandLineOptions = {}): CommandLineOptions => ({
    cwd: folder,
    ...options,
    environment: { BATCHYARD_SERVER: url, ...options.environment },
  });
  const run = (argv: readonly string[], options?: CommandLineOptions) =>
    runCommand(argv, withServer(options));
  return {
    url,
    folder,
    engine: connectEngine({ url }),
    run,
    sh: (line, options) => run(line.split(' '), options),
    start: (argv, options) => startCommand(argv, withServer(options)),
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
