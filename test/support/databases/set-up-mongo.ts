/** Starts the MongoDB servers that the suite `databases` uses, once per run, and stops them. */
import type { TestProject } from 'vitest/node';
import { type MongoServer, startMongod } from './mongo.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    mongoStandaloneUrl: string;
    mongoReplicaSetUrl: string;
  }
}

/** BATCHYARD_TEST_MONGODB, a server of the developer's own, stands in for both. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env.BATCHYARD_TEST_MONGODB;
  if (own) {
    project.provide('mongoStandaloneUrl', own);
    project.provide('mongoReplicaSetUrl', own);
    return async () => {};
  }
  const servers: MongoServer[] = await Promise.all([
    startMongod('standalone'),
    startMongod('replica-set'),
  ]);
  project.provide('mongoStandaloneUrl', servers[0]?.url ?? '');
  project.provide('mongoReplicaSetUrl', servers[1]?.url ?? '');
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
}
