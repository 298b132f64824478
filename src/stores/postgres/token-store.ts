import type { AccessToken, Role, TokenStore } from '../../core/store/index.ts';
import { msOf, type Steps } from './steps.ts';
import { toDate, toHex } from './values.ts';

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly namespaces: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const TOKEN_COLUMNS =
  'id, name, role, namespaces, created_at as "createdAt", expires_at as "expiresAt"';
const INSERT_SQL = `
  insert into tokens (name, id, role, namespaces, created_at, expires_at, hash)
  values ($1, $2, $3, $4, $5, $6, $7::bytea) on conflict (name) do nothing`;
const FIND_SQL = `
  select ${TOKEN_COLUMNS} from tokens
  where hash = $1::bytea and (expires_at is null or expires_at > coalesce($2::int8, now_ms()))`;

export function createTokenStore({ database, mutate }: Steps): TokenStore {
  return {
    insert: (token, hash, step) =>
      mutate(step, async ({ db }) => {
        const added = await db.run(
          INSERT_SQL,
          token.name,
          token.id,
          token.role,
          token.namespaces && JSON.stringify(token.namespaces),
          token.createdAt.getTime(),
          token.expiresAt?.getTime() ?? null,
          `\\x${toHex(hash)}`,
        );
        return added === 1 ? 'inserted' : 'exists';
      }),

    async findByHash(hash, step) {
      const [row] = await database.look<TokenRow>(FIND_SQL, `\\x${toHex(hash)}`, msOf(step));
      return row ? toToken(row) : null;
    },

    async list() {
      const rows = await database.look<TokenRow>(`select ${TOKEN_COLUMNS} from tokens`);
      return rows.map(toToken).sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    delete: (name, step) =>
      mutate(step, async ({ db }) =>
        (await db.run('delete from tokens where name = $1', name)) === 1 ? 'deleted' : 'missing',
      ),
  };
}

export function toToken({ namespaces, createdAt, expiresAt, ...rest }: TokenRow): AccessToken {
  return {
    ...rest,
    namespaces: namespaces === null ? null : JSON.parse(namespaces),
    createdAt: new Date(createdAt),
    expiresAt: toDate(expiresAt),
  };
}
