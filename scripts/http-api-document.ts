/** Makes docs/http-api.md from the contract of the API. */
import { type AnyEndpoint, API_PREFIX, type Repeat } from '../src/api/contract/endpoint.ts';
import { ENDPOINTS_BY_CONCEPT } from '../src/api/contract/endpoints.ts';
import { type JsonSchema, toOpenApi, toSchema } from '../src/api/contract/openapi.ts';
import { ROLES } from '../src/core/index.ts';

const INTRODUCTION = `# HTTP API

Made from \`src/api/contract\` by \`npm run generate\`; do not edit. A running server shows the same at
\`${API_PREFIX}/docs\`, and as OpenAPI 3.1 at \`${API_PREFIX}/openapi.json\`.

\`\`\`sh
curl http://127.0.0.1:7700${API_PREFIX}/namespaces/default/queues
curl -X POST -H 'content-type: application/json' -d '{"tasks":[{"params":{"to":"ada"}}]}' \\
  http://127.0.0.1:7700${API_PREFIX}/namespaces/default/queues/mail/tasks
seq 1000000 | sed 's/.*/{"params":{"n":&}}/' | curl -T - -X POST -H 'content-type: application/x-ndjson' \\
  -H 'idempotency-key: load-1' http://127.0.0.1:7700${API_PREFIX}/namespaces/default/queues/mail/tasks
\`\`\`

## What holds for every call

- **Who may.** On loopback nobody logs in, but the \`Host\` must be this machine's and no page of another site may ask.
  Elsewhere an access token goes along: \`Authorization: Bearer …\`. Roles: ${ROLES.join(', ')}; each may do what those
  before it may, but worker stands beside operator.
- **Names** in paths are percent-encoded, \`/\` too. One leading \`~\` is dropped: write \`~\` for the namespace without a
  name, \`~.\` and \`~..\` for those names, and \`~~x\` for \`~x\`.
- **Bodies** are JSON (\`content-type: application/json\`), in UTF-8, at most 16 MiB and 128 levels deep. Unknown fields are
  refused with the nearest known name; so are the names \`__proto__\`, \`constructor\` and \`prototype\`, and numbers that
  would be rounded. Instants are ISO 8601 text, bytes base64.
- **Repeating.** With an \`Idempotency-Key\` (1 to 200 printable characters) a mutation happens once: for 24 hours the same key
  gets the first answer. For a claim it gives the same claims again.
- **Lists** have pages of at most 1,000: give \`next\` as \`after\` until it is null.
- **Errors** have a body \`{"error": {"code", "message", "details"}}\`, where details name \`field\`, \`problem\` and \`remedy\`.
  400 and 415: the request is wrong · 401: say who you are · 403: you may not · 404: not there · 409: it stands in the way of
  what is · 413: too large · 503: not now, see \`Retry-After\` · 500: our fault. Codes: [errors.md](errors.md).
- **Probes** need no login: \`GET /healthz\` (the process lives), \`GET /readyz\` (the store answers).
`;

const REPEAT_TEXT: Readonly<Record<Repeat, string>> = {
  read: 'changes nothing',
  keyed: 'repeatable with an Idempotency-Key',
  token: 'repeatable with an Idempotency-Key',
  safe: 'repeatable',
  once: 'not repeatable',
};

export async function makeHttpApiDocument(): Promise<string> {
  const { components } = toOpenApi('') as { components: { schemas: Record<string, JsonSchema> } };
  const parts = [INTRODUCTION];
  for (const [concept, endpoints] of ENDPOINTS_BY_CONCEPT) {
    parts.push(`## ${concept}\n`, ...endpoints.map(toSection));
  }
  parts.push('## Schemas\n');
  for (const name of Object.keys(components.schemas).toSorted()) {
    const schema = components.schemas[name] ?? {};
    const lead = schema.description ? `${schema.description}\n\n` : '';
    const text = schema.properties ? toFieldList(schema) : `\`${toTypeText(schema)}\`\n`;
    parts.push(`### ${name}\n\n${lead}${text}`);
  }
  return `${parts.join('\n').trimEnd()}\n`;
}

function toSection(endpoint: AnyEndpoint): string {
  const { method, path, summary, notes, role, repeat, errors } = endpoint;
  const title = summary.replace(/[.:;].*$/s, '');
  const text = summary === `${title}.` ? notes : `${summary} ${notes}`.trim();
  const lines = [
    `### ${title}`,
    '',
    `\`${method} ${API_PREFIX}${path}\``,
    '',
    ...(text === '' ? [] : [text, '']),
    `Role ${role} · ${REPEAT_TEXT[repeat]}${errors.length > 0 ? ` · ${errors.join(', ')}` : ''}`,
    '',
  ];
  const query = toSchema(endpoint.query, {});
  if (Object.keys(endpoint.query.shape).length > 0) lines.push('Query:', '', toFieldList(query));
  if (endpoint.body) lines.push(...toBodyText('Body', toSchema(endpoint.body, {})));
  if (endpoint.answer) lines.push(...toBodyText('Answer', toSchema(endpoint.answer, {})));
  return lines.join('\n');
}

function toBodyText(title: string, schema: JsonSchema): string[] {
  if (schema.properties) return [`${title}:`, '', toFieldList(schema)];
  return [`${title}: ${toLink(schema) ?? `\`${toTypeText(schema)}\``}`, ''];
}

function toFieldList({ properties = {}, required = [] }: JsonSchema): string {
  const lines = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const mark = (required as string[]).includes(name) ? '' : '?';
    const description = schema.description ? ` — ${schema.description}` : '';
    return `- \`${name}${mark}\`: ${toTypeText(schema)}${description}`;
  });
  return `${lines.join('\n')}\n`;
}

function toLink({ $ref }: JsonSchema): string | null {
  if (typeof $ref !== 'string') return null;
  const name = $ref.split('/').at(-1) ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}

function toTypeText(schema: JsonSchema): string {
  const { type, anyOf, items, properties, additionalProperties } = schema;
  const link = toLink(schema);
  if (link) return link;
  if (schema.enum) return (schema.enum as string[]).join(' · ');
  if (anyOf) return (anyOf as JsonSchema[]).map(toTypeText).join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return `list of ${toTypeText(items as JsonSchema)}`;
  if (properties) {
    const fields = Object.entries(properties as Record<string, JsonSchema>);
    return `{${fields.map(([name, field]) => `${name}: ${toTypeText(field)}`).join(', ')}}`;
  }
  if (additionalProperties) return `names to ${toTypeText(additionalProperties as JsonSchema)}`;
  if (schema.format === 'date-time') return 'instant';
  if (schema.contentEncoding) return 'base64';
  if (type === 'integer') return toRangeText(schema);
  return typeof type === 'string' ? type : 'any JSON';
}

function toRangeText({ minimum, maximum }: JsonSchema): string {
  const from = Number(minimum ?? Number.NEGATIVE_INFINITY);
  const to = Number(maximum ?? Number.POSITIVE_INFINITY);
  if (to >= Number.MAX_SAFE_INTEGER) return from > 0 ? `integer from ${from}` : 'integer';
  return `integer ${from} to ${to}`;
}
