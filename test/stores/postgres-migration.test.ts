import { describe, expect, it } from 'vitest';
import {
  migrateSchema,
  prepareSchema,
  readMigrations,
} from '../../src/stores/postgres/schema-migration.ts';
import { testPostgres } from '../support/databases/postgres.ts';

const postgres = testPostgres();

describe('the schema', () => {
  it('is made where there is none, under the name it is given', async () => {
    const schema = await postgres.takeSchema();

    await using store = await postgres.open({ schema });

    expect(await store.namespaces.list()).toEqual([]);
    const [found] = await postgres.query<{ version: number }>(
      `select version from ${schema}.schema_version`,
    );
    expect(found?.version).toBeGreaterThan(0);
  });

  it('that is older is left as it is, with the command that brings it up to date', async () => {
    const schema = await postgres.takeSchema();
    const place = { url: postgres.url, schema };
    await prepareSchema(place);
    const newer = [...readMigrations(), 'create table later (id int)'];

    await expect(prepareSchema(place, newer)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/needs \d+\. Bring it up to date: batchyard migrate$/),
    });
    await migrateSchema(place, newer);
    await prepareSchema(place, newer);
    // A program that knows nothing of it goes on.
    await (await postgres.open({ schema })).close();
  });

  it('that is newer is used as long as it says that this program can', async () => {
    const schema = await postgres.takeSchema();
    await (await postgres.open({ schema })).close();
    await postgres.query(`update ${schema}.schema_version set version = version + 1`);
    await (await postgres.open({ schema })).close();

    await postgres.query(`update ${schema}.schema_version set oldest_reader = version`);

    await expect(postgres.open({ schema })).rejects.toMatchObject({
      message: expect.stringMatching(/changed by a newer Batchyard .* Install that version\.$/),
    });
  });

  it('that holds tables of another program is refused', async () => {
    const schema = await postgres.takeSchema();
    await postgres.query(`create schema ${schema}; create table ${schema}.theirs (id int)`);

    await expect(postgres.open({ schema })).rejects.toMatchObject({
      message: expect.stringMatching(/holds the tables of another program/),
    });
  });

  it('is up to date after a migration, which does nothing more the second time', async () => {
    const schema = await postgres.takeSchema();

    const first = await migrateSchema({ url: postgres.url, schema });
    const second = await migrateSchema({ url: postgres.url, schema });

    expect(first).toEqual({ from: 0, to: second.to });
    expect(second.from).toBe(second.to);
  });
});
