import { describe, expect, it } from 'vitest';
import { BatchError, type Engine, ROLES, type Role } from '../../../src/core/index.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { ROLE_CALLS, type RoleCall } from './role-calls.ts';

/** Who may do what a role may; written down here a second time on purpose. */
const MAY: Record<Role, readonly Role[]> = {
  viewer: ['viewer'],
  submitter: ['viewer', 'submitter'],
  operator: ['viewer', 'submitter', 'operator'],
  worker: ['viewer', 'submitter', 'worker'],
  admin: ['viewer', 'submitter', 'operator', 'worker', 'admin'],
};

export function roles(subject: EngineUnderTest): void {
  describe('roles', () => {
    for (const role of ROLES) {
      it(`let ${role} do what it may, and refuse the rest saying which role is needed`, async () => {
        await using yard = await subject.open();
        await yard.engine.queues.create('q');
        const engine = await yard.as({ name: `a ${role}`, role, namespaces: null });
        const expected: Record<string, string> = {};
        const answered: Record<string, string> = {};
        for (const [group, calls] of Object.entries(ROLE_CALLS)) {
          for (const [method, [needs, call]] of Object.entries(calls as Record<string, RoleCall>)) {
            const name = `${group}.${method}`;
            const refused = `needs role ${needs}; a ${role} is ${role}.`;
            expected[name] = MAY[role].includes(needs) ? 'may' : refused;
            answered[name] = await ask(engine, call);
          }
        }

        expect(answered).toEqual(expected);
      });
    }

    it('let everybody ask for the health', async () => {
      await using yard = await subject.open();
      const engine = await yard.as({ name: 'v', role: 'viewer', namespaces: null });

      expect((await engine.health()).now).toEqual(yard.clock.now());
    });

    it('refuse before anything is changed', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const engine = await yard.as({ name: 'v', role: 'viewer', namespaces: null });

      await Promise.allSettled([
        engine.tasks.submit('q', [{}]),
        engine.queues.pause('q'),
        engine.queues.delete('q'),
      ]);

      expect(await yard.engine.queues.get('q')).toMatchObject({ paused: false });
      expect((await yard.engine.tasks.list()).items).toEqual([]);
    });
  });
}

/** `may`, or the end of the sentence it is refused with. Other refusals are about the call, not about who asks. */
async function ask(engine: Engine, call: RoleCall[1]): Promise<string> {
  try {
    await call(engine);
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    if (error.code === 'FORBIDDEN') return error.message.replace(/^.*(?=needs role)/, '');
  }
  return 'may';
}
