import { mongoDatabase } from '../stores/mongo-database.ts';
import { storeModel } from './store-model.ts';

const database = mongoDatabase('standalone');

storeModel({ name: 'MongoDB standalone', open: database.openEmpty });
