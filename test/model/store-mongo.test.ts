import { mongoDatabase } from '../stores/mongo-database.ts';
import { storeModel } from './store-model.ts';

const database = mongoDatabase('standalone');

// Each step is a few round trips to the server.
storeModel({ name: 'MongoDB standalone', open: database.openEmpty }, 40);
