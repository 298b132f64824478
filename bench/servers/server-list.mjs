import { openMongodbServer } from './mongodb-server.mjs';
import { openPostgresServer } from './postgres-server.mjs';
import { openRedisServer } from './redis-server.mjs';
import { MissingError } from './server-process.mjs';
import { openSqliteFolder } from './sqlite-folder.mjs';

const OPENERS = {
  sqlite: openSqliteFolder,
  postgres: openPostgresServer,
  mongodb: openMongodbServer,
  'redis-aof': () => openRedisServer({ aof: true }),
  redis: () => openRedisServer({ aof: false }),
};

/** Opens the servers named. One that cannot be had is told to `onMissing`, with the reason. */
export async function openServers(names, onMissing) {
  const servers = new Map();
  const stop = async () => {
    for (const server of servers.values()) await server.stop();
    servers.clear();
  };
  try {
    for (const name of names) {
      try {
        servers.set(name, await OPENERS[name]());
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
        onMissing(name, error.message);
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { servers, stop };
}
