import { storeConformance } from '../conformance/store/store-conformance.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('replica-set');

storeConformance({ name: 'MongoDB replica set', open: database.openApart });
