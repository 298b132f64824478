import type { Config } from '../../app/config.ts';
import { examineStore } from '../../app/examine-store.ts';
import type { Finding, FindingLevel } from '../../core/index.ts';
import { localCommand } from '../command.ts';
import { STORE_OPTIONS, toConfigFlags } from '../config-options.ts';
import { EXIT } from '../exit-code.ts';
import { isOnStore } from '../store-choice.ts';
import type { Style } from '../table.ts';

const STYLES: Record<FindingLevel, Style | null> = {
  problem: 'red',
  warning: 'yellow',
  fine: 'green',
};

export const doctor = localCommand({
  name: 'doctor',
  summary: 'Look for what is wrong: indexes, clock, space, counts, versions, tasks nobody takes.',
  examples: ['batchyard doctor', 'batchyard doctor --store postgres://yard@db/yard'],
  options: STORE_OPTIONS,

  async run(session) {
    const { options, out, loadConfig } = session;
    const loaded = await loadConfig(toConfigFlags(options));
    const findings = isOnStore(loaded, options.store)
      ? await examineStore(loaded.config.store, session)
      : await examineServer(loaded.config);
    const table = out.table<Finding>([
      { title: 'is', text: ({ level }) => level, style: ({ level }) => STYLES[level] },
      { title: 'what', text: ({ topic }) => topic },
      {
        title: 'finding',
        text: ({ text, remedy }) => (remedy === null ? text : `${text} ${remedy}`),
        isLong: true,
      },
    ]);
    table.add(findings);
    return findings.some(({ level }) => level === 'problem') ? EXIT.failed : EXIT.ok;
  },
});

async function examineServer({
  server: url,
  token,
  namespace,
}: Config): Promise<readonly Finding[]> {
  const { connectEngine } = await import('../../client/connect-engine.ts');
  return connectEngine({ url, token, namespace }).examine();
}
