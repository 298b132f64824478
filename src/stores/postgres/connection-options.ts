/**
 * How connections are set up. Plans of the hot statements must not depend on statistics of another
 * moment: with these settings there is one plan, made once per connection.
 */
import type { ClientConfig, CustomTypesConfig } from 'pg';
import pg from 'pg';

const PLAN_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

export type Use = 'steps' | 'lists';

const LONGEST_READ_MS = 60_000;

function settingsOf(use: Use, schema: string): Readonly<Record<string, string>> {
  const common = {
    search_path: `"${schema}"`,
    idle_in_transaction_session_timeout: '60000',
    client_min_messages: 'warning',
  };
  return use === 'steps'
    ? { ...common, ...PLAN_SETTINGS }
    : { ...common, jit: 'off', statement_timeout: String(LONGEST_READ_MS) };
}

/** For the start of a connection of our own. */
export function toStartOptions(use: Use, schema: string): string {
  return Object.entries(settingsOf(use, schema))
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

/** For a transaction on a connection that is not ours alone. */
export function toLocalSettings(use: Use, schema: string): string {
  const settings = Object.entries(settingsOf(use, schema));
  return `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`;
}

const BYTEA = 17;
const INT8 = 20;

/** Bytes stay hex digits after `\x`, int8 are numbers: all of ours are below 2^53. */
export const TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === BYTEA) return (text: string) => text.slice(2);
    if (oid === INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as CustomTypesConfig['getTypeParser'],
};

export interface Place {
  readonly url: string;
  readonly schema: string;
}

export function toClientConfig(place: Place, use: Use, isPooled: boolean): ClientConfig {
  return {
    connectionString: place.url,
    types: TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    ...(isPooled ? {} : { options: toStartOptions(use, place.schema) }),
  };
}

/** The address without its password. */
export function toLabel(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`;
  } catch {
    return 'postgres';
  }
}

/** `?schema=NAME` of an address is ours; the driver must not see it. */
export function splitSchema(url: string): { readonly url: string; readonly schema: string | null } {
  const [, before = url, schema = null, after = ''] =
    /^([^?]*\?(?:[^#]*&)?)schema=([^&#]*)&?(.*)$/.exec(url) ?? [];
  if (schema === null) return { url, schema };
  return { url: `${before}${after}`.replace(/[?&]$/, ''), schema: decodeURIComponent(schema) };
}

export function isSchemaName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,47}$/.test(name);
}
