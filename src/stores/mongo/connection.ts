import { MongoClient, type MongoClientOptions } from 'mongodb';
import { toUnavailable, unavailable } from './mongo-error.ts';

export interface Connection {
  readonly client: MongoClient;
  /** The database of namespace `default`. */
  readonly database: string;
  /** Without user and password. */
  readonly label: string;
  readonly isReplicaSet: boolean;
}

/** What the store counts on, whatever the address says. */
const FIXED: MongoClientOptions = {
  ignoreUndefined: true,
  retryWrites: true,
  readPreference: 'primary',
};
/** What holds unless the address says otherwise. */
const USUAL: MongoClientOptions = {
  appName: 'batchyard',
  serverSelectionTimeoutMS: 10_000,
  connectTimeoutMS: 10_000,
  maxPoolSize: 20,
};
const OLDEST = [4, 4] as const;
const USUAL_DATABASE = 'batchyard';

/** Connects, and makes sure that the server is one to rely on. */
export async function connect(url: string): Promise<Connection> {
  const client = createClient(url);
  const { hosts, dbName, writeConcern } = client.options;
  const isNamed = /^[^:]+:\/\/[^/]+\/[^?]/.test(url);
  const database = isNamed ? dbName : USUAL_DATABASE;
  const label = `mongodb:${hosts.map(String).join(',')}/${database}`;
  try {
    checkWriteConcern(writeConcern);
    await client.connect();
    const admin = client.db('admin');
    const { version } = await admin.command({ buildInfo: 1 });
    checkVersion(String(version), label);
    const { setName, msg } = await admin.command({ hello: 1 });
    const isReplicaSet = setName !== undefined || msg === 'isdbgrid';
    return { client, database, label, isReplicaSet };
  } catch (error) {
    await client.close();
    throw toUnavailable(error, label) ?? error;
  }
}

function createClient(url: string): MongoClient {
  try {
    const said = url.toLowerCase();
    const usual = Object.entries(USUAL).filter(
      ([name]) => !said.includes(`${name.toLowerCase()}=`),
    );
    const options = { ...Object.fromEntries(usual), ...FIXED };
    const client = new MongoClient(url, options);
    if (client.options.writeConcern !== undefined) return client;
    return new MongoClient(url, { ...options, writeConcern: { w: 'majority', journal: true } });
  } catch (error) {
    // The driver's words may repeat the address, and with it a password.
    throw unavailable(
      'that is no address of a MongoDB server',
      'Use mongodb://HOST:PORT/DATABASE.',
      error,
    );
  }
}

function checkWriteConcern(concern: MongoClient['options']['writeConcern']): void {
  const isSafe = concern?.w === 'majority' && concern.journal !== false;
  if (isSafe) return;
  throw unavailable(
    'its address asks for writes that a crash could lose',
    'Leave out w and journal, or say w=majority and journal=true.',
  );
}

export function checkVersion(version: string, label: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw unavailable(
    `${label} is MongoDB ${version}`,
    `Use a server of version ${OLDEST.join('.')} or newer.`,
  );
}
