import { storeConformance } from '../conformance/store/store-conformance.ts';
import { testPostgres } from '../support/databases/postgres.ts';

const postgres = testPostgres();

storeConformance({ name: 'PostgreSQL', open: () => postgres.open() });
