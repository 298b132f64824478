import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { DURATION_EXAMPLES, parseDuration } from './duration.ts';
import { parseListenAddress } from './listen-address.ts';
import { parseStoreAddress } from './store-address.ts';

/** A value written as text; flags, environment and file say it in the same words. */
function written<Value>(read: (text: string) => Value | null, expected: string) {
  return z.unknown().transform((value, context): Value => {
    const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
    const result = isScalar ? read(String(value)) : null;
    if (result !== null) return result;
    context.addIssue({ code: 'custom', message: `${show(value)} is not ${expected}` });
    return z.NEVER;
  });
}

function show(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? 'nothing');
}

const text = written((given) => (given === '' ? null : given), 'text');
// The text itself stays out of the message: it is a secret.
const adminToken = z.unknown().transform((value, context): string => {
  if (typeof value === 'string' && value.length >= 16) return value;
  const message = 'that is too easy to guess. Use at least 16 characters, chosen by chance';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
const duration = written(parseDuration, `a duration. Use for example ${DURATION_EXAMPLES}`);
const address = written(parseListenAddress, 'HOST:PORT, for example 127.0.0.1:7700');
const url = written(
  (given) => (/^https?:\/\/[^\s/]/.test(given) ? given.replace(/\/+$/, '') : null),
  'a URL, for example http://127.0.0.1:7700',
);
const toggle = written(
  (given) => (['true', 'false'].includes(given) ? { on: given === 'true' } : null),
  'true or false',
).transform(({ on }) => on);

function whole(least: number, most: number) {
  return written((given) => {
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return number >= least && number <= most ? number : null;
  }, `a whole number from ${least} to ${most}`);
}

function oneOf<const Choice extends string>(...choices: readonly Choice[]) {
  const find = (given: string) => choices.find((choice) => choice === given) ?? null;
  return written(find, `one of ${choices.join(', ')}`);
}

const names = z.unknown().transform((value, context): readonly string[] => {
  const list = typeof value === 'string' ? value.split(',') : value;
  const isList = Array.isArray(list) && list.every((name) => typeof name === 'string');
  if (isList) return list.map((name) => name.trim()).filter((name) => name !== '');
  context.addIssue({ code: 'custom', message: `${show(value)} is not a list of names` });
  return z.NEVER;
});

const store = z.unknown().transform((value, context) => {
  const parsed = parseStoreAddress(String(value));
  if (typeof parsed !== 'string') return parsed;
  context.addIssue({ code: 'custom', message: parsed });
  return z.NEVER;
});

/** Every setting: what it is called, what it may be, what it is when nobody says, and what it means. */
export const ConfigSchema = z.strictObject({
  store: store
    .prefault('sqlite:batchyard.db')
    .describe(
      'Where data are kept: sqlite:FILE, postgres://…, mongodb://…, or memory for nothing kept.',
    ),
  listen: address
    .prefault('127.0.0.1:7700')
    .describe('Where the server listens. Beyond this machine it needs access tokens.'),
  server: url
    .prefault('http://127.0.0.1:7700')
    .describe('Where commands and nodes find the server.'),
  token: text.optional().describe('The access token that commands and nodes show to the server.'),
  namespace: text.prefault('default').describe('The namespace that commands and nodes work in.'),
  log: oneOf('auto', 'json', 'text')
    .prefault('auto')
    .describe('How the log is written; auto is text on a terminal, JSON lines elsewhere.'),
  allowRoot: toggle.prefault(false).describe('Let serve and node run programs as the root user.'),
  auth: z
    .strictObject({
      adminToken: adminToken
        .optional()
        .describe('An access token with role admin that the server knows from its start.'),
      allowedHosts: names
        .prefault([])
        .describe('Host names by which the server may be called, beside those of loopback.'),
    })
    .prefault({}),
  node: z
    .strictObject({
      name: text.optional().describe("The name of the node; not said: this machine's."),
      slots: whole(1, 10_000)
        .prefault(availableParallelism())
        .describe('How many tasks the node runs at one time; one for each core when not said.'),
      programs: toggle.prefault(true).describe('Whether the node runs queues with a program.'),
      queues: names.prefault([]).describe('Serve only these queues; none means all.'),
      notQueues: names.prefault([]).describe('Never serve these queues.'),
      grace: duration
        .prefault('30s')
        .describe('How long running tasks may go on after the node was told to stop.'),
    })
    .prefault({}),
});

export type Settings = z.output<typeof ConfigSchema>;

/** Settings that are never shown. */
const SECRETS: ReadonlySet<string> = new Set(['token', 'auth.adminToken']);

export interface ConfigField {
  /** `node.slots`: how the file and messages name it. */
  readonly path: string;
  readonly environment: string;
  readonly summary: string;
  /** As a person would write it; null: not set. */
  readonly usual: unknown;
  readonly isSecret: boolean;
}

/** Every setting of the schema, in its order. */
export const CONFIG_FIELDS: readonly ConfigField[] = listFields(ConfigSchema.shape, []);

function listFields(shape: z.core.$ZodShape, parents: readonly string[]): ConfigField[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const names = [...parents, key];
    const inner = field instanceof z.ZodPrefault ? field.unwrap() : field;
    if (inner instanceof z.ZodObject) return listFields(inner.shape, names);
    const path = names.join('.');
    return {
      path,
      environment: toEnvironmentName(path),
      summary: (field as z.ZodType).description ?? '',
      usual: field instanceof z.ZodPrefault ? field.def.defaultValue : null,
      isSecret: SECRETS.has(path),
    };
  });
}

function toEnvironmentName(path: string): string {
  const words = path.replace(/[A-Z]/g, '_$&').replaceAll('.', '_');
  return `BATCHYARD_${words.toUpperCase()}`;
}
