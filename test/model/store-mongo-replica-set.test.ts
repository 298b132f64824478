import { mongoDatabase } from '../stores/mongo-database.ts';
import { storeModel } from './store-model.ts';

const database = mongoDatabase('replica-set');

// Each step is a few round trips to the server.
storeModel({ name: 'MongoDB replica set', open: database.openEmpty }, 30);
