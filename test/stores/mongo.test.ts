import { storeConformance } from '../conformance/store/store-conformance.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');

storeConformance({ name: 'MongoDB standalone', open: database.openApart });
