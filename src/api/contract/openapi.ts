import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../core/index.ts';
import { type AnyEndpoint, API_PREFIX, NDJSON } from './endpoint.ts';
import { ENDPOINTS_BY_CONCEPT } from './endpoints.ts';
import { ErrorJson } from './error-json.ts';
import { StreamSummaryJson } from './task-stream.ts';

export type JsonSchema = { [keyword: string]: unknown };
type Components = Record<string, JsonSchema>;

/** The API as an OpenAPI 3.1 document, made from the contract. */
export function toOpenApi(version: string): JsonSchema {
  const schemas: Components = {};
  const errorRef = toSchema(ErrorJson, schemas);
  const paths: Record<string, JsonSchema> = {};
  for (const [concept, endpoints] of ENDPOINTS_BY_CONCEPT) {
    for (const endpoint of endpoints) {
      const path = `${API_PREFIX}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
      paths[path] ??= {};
      paths[path][endpoint.method.toLowerCase()] = toOperation(concept, endpoint, schemas);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Batchyard',
      version,
      description:
        'Queues, tasks, attempts and nodes. Names in paths are percent-encoded; one leading "~" is dropped.',
    },
    security: [{ token: [] }],
    tags: ENDPOINTS_BY_CONCEPT.map(([name]) => ({ name })),
    paths,
    components: {
      schemas,
      responses: {
        Error: {
          description: 'What was wrong.',
          content: { 'application/json': { schema: errorRef } },
        },
      },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function toOperation(concept: string, endpoint: AnyEndpoint, schemas: Components): JsonSchema {
  const notes = [endpoint.notes, `Needs role ${endpoint.role}.`].filter((note) => note !== '');
  return {
    operationId: endpoint.name,
    tags: [concept],
    summary: endpoint.summary,
    description: notes.join(' '),
    parameters: [
      ...toParameters(endpoint.params, 'path', schemas),
      ...toParameters(endpoint.query, 'query', schemas),
      ...keyParameter(endpoint),
    ],
    ...(endpoint.body && { requestBody: toRequestBody(endpoint, schemas) }),
    responses: {
      [endpoint.status]: toResponse(endpoint.answer, schemas),
      ...(endpoint.streams && { 200: toResponse(StreamSummaryJson, schemas, NDJSON) }),
      default: { $ref: '#/components/responses/Error' },
    },
    'x-role': endpoint.role,
    'x-errors': endpoint.errors.map((code: ErrorCode) => ({ code, kind: ERRORS[code].kind })),
  };
}

function toParameters(
  { shape }: AnyEndpoint['params'],
  place: 'path' | 'query',
  schemas: Components,
): JsonSchema[] {
  return Object.entries(shape).map(([name, type]) => {
    const { description, ...schema } = toSchema(type, schemas);
    const required = place === 'path' || !type.safeParse(undefined).success;
    return { name, in: place, required, ...(description ? { description } : {}), schema };
  });
}

function keyParameter({ repeat }: AnyEndpoint): JsonSchema[] {
  if (repeat !== 'keyed' && repeat !== 'token') return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key again changes nothing and gets the first answer.',
      schema: { type: 'string', minLength: 1, maxLength: 200 },
    },
  ];
}

function toRequestBody(endpoint: AnyEndpoint, schemas: Components): JsonSchema {
  const content: Record<string, JsonSchema> = {
    'application/json': { schema: toSchema(endpoint.body as z.ZodType, schemas) },
  };
  if (endpoint.streams) {
    content[NDJSON] = { schema: { type: 'string', description: 'One task per line.' } };
  }
  return { required: true, content };
}

function toResponse(
  answer: z.ZodType | null,
  schemas: Components,
  contentType = 'application/json',
): JsonSchema {
  if (answer === null) return { description: 'Done.' };
  return {
    description: 'Done.',
    content: { [contentType]: { schema: toSchema(answer, schemas) } },
  };
}

/** What goes over the wire, as JSON Schema; schemas with a name become components. */
export function toSchema(type: z.ZodType, components: Components): JsonSchema {
  // Inside an object, so that a schema with a name is a reference even at the top.
  const { $defs, properties } = z.toJSONSchema(z.object({ type }), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
  }) as unknown as { $defs?: Components; properties: { type: JsonSchema } };
  for (const [name, component] of Object.entries($defs ?? {})) {
    components[name] ??= toComponentRefs(component) as JsonSchema;
  }
  return toComponentRefs(properties.type) as JsonSchema;
}

function tidy(schema: JsonSchema): void {
  const { wire, description } = schema;
  if (wire) {
    for (const keyword of Object.keys(schema)) delete schema[keyword];
    Object.assign(schema, wire, description ? { description } : {});
  }
  delete schema.id;
  // Half a page of expression that says no more than the format.
  if (schema.format === 'date-time') delete schema.pattern;
}

function toComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === '$ref' && typeof item === 'string'
        ? item.replace('#/$defs/', '#/components/schemas/')
        : toComponentRefs(item),
    ]),
  );
}
