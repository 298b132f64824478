import { testPostgres } from '../support/databases/postgres.ts';
import { storeModel } from './store-model.ts';

const postgres = testPostgres();

// Each step is a few round trips to the server.
storeModel({ name: 'PostgreSQL', open: () => postgres.open() }, 80);
