import { type Finding, fine, problem, warning } from '../../core/store/index.ts';
import { findMissingIndexes } from './indexes.ts';
import type { Session } from './session.ts';

/** What `batchyard doctor` says of the databases and their server. */
export async function examineDatabase({ spaces }: Session): Promise<Finding[]> {
  return [...(await examineIndexes(spaces)), ...(await examineServer(spaces))];
}

async function examineIndexes(spaces: Session['spaces']): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { namespace, db } of await spaces.all()) {
    const missing = await findMissingIndexes(db, { shared: db === spaces.shared });
    if (missing.length === 0) continue;
    findings.push(
      problem(
        'indexes',
        `Indexes are missing in namespace ${namespace}: ${missing.join(', ')}.`,
        'Start a server or a node again: it makes them.',
      ),
    );
  }
  return findings.length > 0 ? findings : [fine('indexes', 'All indexes are there.')];
}

async function examineServer({ shared }: Session['spaces']): Promise<Finding[]> {
  const hello = await shared.command({ hello: 1 });
  const { version } = await shared.command({ buildInfo: 1 });
  const versions = fine('versions', `MongoDB ${version}.`);
  const members = Array.isArray(hello.hosts) ? hello.hosts.length : 0;
  if (hello.setName === undefined) {
    return [
      versions,
      warning(
        'durability',
        'The server is no replica set: what is acknowledged is on one disk.',
        'Run a replica set of three where that is not enough.',
      ),
    ];
  }
  return [versions, fine('durability', `Replica set ${hello.setName} of ${members} members.`)];
}
