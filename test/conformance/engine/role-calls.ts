/** For every method of Engine: the role it needs, and a harmless call. A missing one does not compile. */
import type { Engine, Role } from '../../../src/core/index.ts';

type Groups = Omit<Engine, 'namespace' | 'in' | 'health' | 'examine'>;
export type RoleCall = readonly [needs: Role, call: (engine: Engine) => Promise<unknown>];

const TASK = '000000000000000000000000';
const HELD = { taskId: TASK, fence: 1 };

export const ROLE_CALLS: {
  readonly [Group in keyof Groups]: { readonly [Method in keyof Groups[Group]]: RoleCall };
} = {
  namespaces: {
    list: ['viewer', ({ namespaces }) => namespaces.list()],
    counts: ['viewer', ({ namespaces }) => namespaces.counts()],
    create: ['operator', ({ namespaces }) => namespaces.create('made')],
    delete: ['admin', ({ namespaces }) => namespaces.delete('nope')],
  },
  queues: {
    find: ['viewer', ({ queues }) => queues.find('q')],
    get: ['viewer', ({ queues }) => queues.get('q')],
    list: ['viewer', ({ queues }) => queues.list()],
    counts: ['viewer', ({ queues }) => queues.counts()],
    countsOf: ['viewer', ({ queues }) => queues.countsOf('q')],
    create: ['operator', ({ queues }) => queues.create('q')],
    set: ['operator', ({ queues }) => queues.set('q', { weight: 1 })],
    define: ['operator', ({ queues }) => queues.define('q', {})],
    pause: ['operator', ({ queues }) => queues.pause('q')],
    resume: ['operator', ({ queues }) => queues.resume('q')],
    delete: ['operator', ({ queues }) => queues.delete('nope')],
    admit: ['operator', ({ queues }) => queues.admit('q', { limit: 1 })],
  },
  tasks: {
    find: ['viewer', ({ tasks }) => tasks.find(TASK)],
    get: ['viewer', ({ tasks }) => tasks.get(TASK)],
    findByKey: ['viewer', ({ tasks }) => tasks.findByKey('q', 'k')],
    list: ['viewer', ({ tasks }) => tasks.list()],
    why: ['viewer', ({ tasks }) => tasks.why(TASK)],
    wait: ['viewer', ({ tasks }) => tasks.wait({ filter: { ids: [TASK] }, timeoutMs: 0 })],
    submit: ['submitter', ({ tasks }) => tasks.submit('q', [{}])],
    edit: ['operator', ({ tasks }) => tasks.edit(TASK, { priority: 1 })],
    cancel: ['operator', ({ tasks }) => tasks.cancel(TASK)],
    retry: ['operator', ({ tasks }) => tasks.retry(TASK)],
    hold: ['operator', ({ tasks }) => tasks.hold(TASK)],
    release: ['operator', ({ tasks }) => tasks.release(TASK)],
    delete: ['operator', ({ tasks }) => tasks.delete(TASK)],
    bulk: ['operator', ({ tasks }) => tasks.bulk({ action: 'hold', filter: { ids: [TASK] } })],
  },
  attempts: {
    list: ['viewer', ({ attempts }) => attempts.list(TASK)],
    listByNode: ['viewer', ({ attempts }) => attempts.listByNode('n1')],
    claim: ['worker', ({ attempts }) => attempts.claim({ node: 'n1' })],
    claimTask: ['worker', ({ attempts }) => attempts.claimTask(TASK, { node: 'n1' })],
    assign: ['worker', ({ attempts }) => attempts.assign(TASK, { candidates: ['n1'] })],
    start: ['worker', ({ attempts }) => attempts.start([HELD])],
    renew: ['worker', ({ attempts }) => attempts.renew([HELD])],
    settle: ['worker', ({ attempts }) => attempts.settle([{ ...HELD, outcome: 'succeeded' }])],
  },
  outputs: {
    read: ['viewer', ({ outputs }) => outputs.read(TASK)],
    tail: ['viewer', ({ outputs }) => outputs.tail(TASK)],
    append: ['worker', ({ outputs }) => outputs.append(TASK, 1, [])],
  },
  nodes: {
    find: ['viewer', ({ nodes }) => nodes.find('n1')],
    get: ['viewer', ({ nodes }) => nodes.get('n1')],
    list: ['viewer', ({ nodes }) => nodes.list()],
    heartbeat: ['worker', ({ nodes }) => nodes.heartbeat('n1')],
    deactivate: ['worker', ({ nodes }) => nodes.deactivate('n1')],
    set: ['operator', ({ nodes }) => nodes.set('n1', { wish: 'work' })],
    delete: ['operator', ({ nodes }) => nodes.delete('nope')],
  },
  leases: {
    acquire: ['worker', ({ leases }) => leases.acquire('l', { holder: 'h', ttlMs: 1000 })],
    release: ['worker', ({ leases }) => leases.release('l', 'h')],
  },
  tokens: {
    create: ['admin', ({ tokens }) => tokens.create({ name: 't', role: 'viewer' })],
    list: ['admin', ({ tokens }) => tokens.list()],
    revoke: ['admin', ({ tokens }) => tokens.revoke('t')],
  },
};
