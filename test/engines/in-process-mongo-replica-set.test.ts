import { engineConformance } from '../conformance/engine/engine-conformance.ts';
import { mongoDatabase } from '../stores/mongo-database.ts';
import { inProcess, openHost } from './engine-host.ts';

const database = mongoDatabase('replica-set');

engineConformance({
  name: 'the engine in process, on a MongoDB replica set',
  open: async (options) => inProcess(await openHost(database.openEmpty, options)),
});
