import { describe, expect, it } from 'vitest';
import { API_PREFIX } from '../../src/api/contract/endpoint.ts';
import { ENDPOINTS } from '../../src/api/contract/endpoints.ts';
import { openApi } from './api-fixture.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: unknown;
}

async function describeApi(): Promise<OpenApi> {
  await using api = await openApi();
  return (await api.ask({ method: 'GET', url: '/api/v1/openapi.json' })).json();
}

function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (name === '$ref') yield item;
    else yield* refsIn(item);
  }
}

function lookUp(document: unknown, ref: string): unknown {
  const names = ref.replace(/^#\//, '').split('/');
  return names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown>)?.[name],
    document,
  );
}

describe('the OpenAPI document', () => {
  it('has every route, and no other', async () => {
    const { openapi, info, paths } = await describeApi();

    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    const served = ENDPOINTS.map(
      ({ name, method, path }) =>
        `${name} ${method} ${API_PREFIX}${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(described.toSorted()).toEqual(served.toSorted());
    expect([openapi, info.version]).toEqual(['3.1.0', '1.2.3']);
  });

  it('has no reference that leads nowhere', async () => {
    const document = await describeApi();
    const refs = [...new Set(refsIn(document))];

    expect(refs.length).toBeGreaterThan(20);
    expect(refs.filter((ref) => typeof lookUp(document, ref) !== 'object')).toEqual([]);
  });

  it('says all that an operation needs', async () => {
    const { paths } = await describeApi();

    for (const [path, methods] of Object.entries(paths)) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { operationId, parameters, responses } of Object.values(methods)) {
        const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
        expect([operationId, inPath.toSorted()]).toEqual([operationId, placeholders.toSorted()]);
        expect(Object.keys(responses)).toContain('default');
      }
    }
  });

  it('shows what goes over the wire, not what programs hold', async () => {
    const document = await describeApi();

    expect(lookUp(document, '#/components/schemas/Task/properties/createdAt')).toEqual({
      type: 'string',
      format: 'date-time',
    });
    expect(lookUp(document, '#/components/schemas/TaskKey')).toMatchObject({
      anyOf: [{ type: 'string' }, { type: 'object', required: ['$bytes'] }],
    });
    const list = document.paths['/api/v1/namespaces/{namespace}/queues']?.get;
    expect(list?.parameters.find(({ name }) => name === 'limit')).toMatchObject({
      schema: { type: 'integer', minimum: 1, maximum: 1000 },
    });
  });
});
