import type { AccessToken, Role, TokenStore } from '../../core/store/index.ts';
import { toDate } from './rows.ts';
import type { Steps } from './steps.ts';

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly namespaces: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const TOKEN_COLUMNS =
  'id, name, role, namespaces, created_at as createdAt, expires_at as expiresAt';
const INSERT_SQL = `
  insert into tokens (name, id, role, namespaces, created_at, expires_at, hash)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (name) do nothing`;
const FIND_SQL = `
  select ${TOKEN_COLUMNS} from tokens where hash = ? and (expires_at is null or expires_at > ?)`;

export function createTokenStore({ session: { db }, look, take, mutate }: Steps): TokenStore {
  return {
    insert: (token, hash, step) =>
      mutate(step, () => {
        const added = db.run(
          INSERT_SQL,
          token.name,
          token.id,
          token.role,
          token.namespaces && JSON.stringify(token.namespaces),
          token.createdAt.getTime(),
          token.expiresAt?.getTime() ?? null,
          hash,
        );
        return added === 1 ? 'inserted' : 'exists';
      }),

    findByHash: (hash, step) =>
      take(step, (now) => {
        const row = db.get<TokenRow>(FIND_SQL, hash, now);
        return row ? toToken(row) : null;
      }),

    list: () =>
      look(() =>
        db
          .all<TokenRow>(`select ${TOKEN_COLUMNS} from tokens`)
          .map(toToken)
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ),

    delete: (name, step) =>
      mutate(step, () =>
        db.run('delete from tokens where name = ?', name) === 1 ? 'deleted' : 'missing',
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
