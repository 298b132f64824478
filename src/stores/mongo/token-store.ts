import { Binary, type Collection } from 'mongodb';
import type { AccessToken, Role, TokenStore } from '../../core/store/index.ts';
import { isDuplicateKey } from './mongo-error.ts';
import type { Steps } from './steps.ts';
import { fromStoredText, toStoredText } from './texts.ts';

export interface TokenDocument {
  /** The name. */
  readonly _id: string;
  readonly id: string;
  readonly role: Role;
  readonly namespaces: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly hash: Binary;
}

export function toToken({
  _id,
  id,
  role,
  namespaces,
  createdAt,
  expiresAt,
}: TokenDocument): AccessToken {
  return {
    id,
    name: fromStoredText(_id),
    role,
    namespaces: namespaces?.map(fromStoredText) ?? null,
    createdAt,
    expiresAt,
  };
}

export function createTokenStore(steps: Steps): TokenStore {
  const tokens: Collection<TokenDocument> =
    steps.session.spaces.shared.collection('batchyard.tokens');
  return {
    insert: (token, hash, step) =>
      steps.mutate(step, async () => {
        const { id, name, role, namespaces, createdAt, expiresAt } = token;
        const document = {
          _id: toStoredText(name),
          id,
          role,
          namespaces: namespaces?.map(toStoredText) ?? null,
          createdAt,
          expiresAt,
          hash: new Binary(hash),
        };
        try {
          await tokens.insertOne(document);
          return 'inserted';
        } catch (error) {
          if (isDuplicateKey(error)) return 'exists';
          throw error;
        }
      }),

    findByHash: (hash, step) =>
      steps.take(step, async ({ now }) => {
        const found = await tokens.findOne({ hash: new Binary(hash) });
        const isOver = found?.expiresAt && found.expiresAt.getTime() <= now;
        return found && !isOver ? toToken(found) : null;
      }),

    list: () =>
      steps.look(async () => {
        const all = await tokens.find().toArray();
        return all.map(toToken).sort((a, b) => (a.name < b.name ? -1 : 1));
      }),

    delete: (name, step) =>
      steps.mutate(step, async () => {
        const { deletedCount } = await tokens.deleteOne({ _id: toStoredText(name) });
        return deletedCount === 1 ? 'deleted' : 'missing';
      }),
  };
}
