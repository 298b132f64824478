import { mongoDatabase } from '../stores/mongo-database.ts';
import { storeModel } from './store-model.ts';

const database = mongoDatabase('replica-set');

storeModel({ name: 'MongoDB replica set', open: database.openEmpty });
