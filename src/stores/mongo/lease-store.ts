import type { Collection } from 'mongodb';
import type { LeaseStore } from '../../core/store/index.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { fromStoredText, toStoredText } from './texts.ts';

interface LeaseDocument {
  readonly _id: string;
  /** null after it was given back. */
  readonly holder: string | null;
  readonly term: number;
  readonly expiresAt: Date;
}

function leasesOf({ spaces }: Session): Collection<LeaseDocument> {
  return spaces.shared.collection('batchyard.leases');
}

export async function isLeaseHeldUnder(
  session: Session,
  { name, term }: { readonly name: string; readonly term: number },
  now: number,
): Promise<boolean> {
  const filter = { _id: toStoredText(name), term, expiresAt: { $gt: new Date(now) } };
  return (await leasesOf(session).findOne({ ...filter, holder: { $ne: null } })) !== null;
}

export function createLeaseStore(steps: Steps): LeaseStore {
  const leases = leasesOf(steps.session);
  return {
    acquire: ({ name, holder, ttlMs }, step) =>
      steps.take(step, async ({ now }) => {
        const mine = { $literal: toStoredText(holder) };
        const isSame = { $eq: ['$holder', mine] };
        const isFree = {
          $or: [
            { $eq: [{ $ifNull: ['$holder', null] }, null] },
            { $lte: ['$expiresAt', new Date(now)] },
          ],
        };
        const term = { $ifNull: ['$term', 0] };
        const taken = {
          holder: mine,
          term: { $cond: [isSame, term, { $add: [term, 1] }] },
          expiresAt: new Date(now + ttlMs),
        };
        const set = (field: keyof typeof taken) => ({
          $cond: [{ $or: [isSame, isFree] }, taken[field], `$${field}`],
        });
        const update = [
          { $set: { holder: set('holder'), term: set('term'), expiresAt: set('expiresAt') } },
        ];
        const lease = await leases.findOneAndUpdate({ _id: toStoredText(name) }, update, {
          upsert: true,
          returnDocument: 'after',
        });
        if (lease === null) throw new Error('An upsert gave nothing back.');
        const by = fromStoredText(lease.holder ?? '');
        return { held: by === holder, holder: by, term: lease.term, expiresAt: lease.expiresAt };
      }),

    release: (name, holder, step) =>
      steps.take(step, async ({ now }) => {
        const held = { holder: toStoredText(holder), expiresAt: { $gt: new Date(now) } };
        const filter = { _id: toStoredText(name), ...held };
        const { matchedCount } = await leases.updateOne(filter, { $set: { holder: null } });
        return matchedCount === 1 ? 'released' : 'not-held';
      }),
  };
}
