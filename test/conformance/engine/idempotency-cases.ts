/** One case for every mutation of Engine that may be repeated under a key; a missing one does not compile. */
import type { Engine, ErrorCode, Repeatable, TaskId } from '../../../src/core/index.ts';
import { only, settle } from './scene.ts';

type Groups = Omit<Engine, 'namespace' | 'in' | 'health' | 'examine'>;
type Last<Args extends unknown[]> = Required<Args> extends [...unknown[], infer End] ? End : null;
type TakesKey<Method> = Method extends (...args: infer Args) => unknown
  ? 'idempotencyKey' extends keyof Last<Args>
    ? true
    : false
  : false;
type CasesOf<Group> = {
  [Name in keyof Group as TakesKey<Group[Name]> extends true ? Name : never]: RepeatableCase;
};

/** Queue "q" with two queued tasks, the gated queue "gated" with three, and the nodes "n1" and "n2". */
export interface Setting extends Groups {
  readonly engine: Engine;
  readonly task: TaskId;
  readonly otherTask: TaskId;
}

export interface RepeatableCase {
  /** What must be there first. */
  prepare?(setting: Setting): Promise<unknown>;
  call(setting: Setting, key: Repeatable): Promise<unknown>;
  /** Another request, for which the same key is refused. */
  other(setting: Setting, key: Repeatable): Promise<unknown>;
  /** Somebody undoes or redoes it meanwhile; a repeated call must leave that alone. */
  meddle?(setting: Setting): Promise<unknown>;
  /** What a call that ran again would change. */
  look(setting: Setting): Promise<unknown>;
  /** A repeated call is refused so, because the first answer is not kept. */
  refused?: ErrorCode;
}

const bulk = { action: 'edit', filter: { queues: ['q'] } } as const;
const token = { name: 'new', role: 'viewer' } as const;
const theQueue = ({ queues }: Setting) => queues.get('q');
const theTask = ({ tasks, task }: Setting) => tasks.get(task);
const theNode = ({ nodes }: Setting) => nodes.find('n1');
const taskCounts = ({ queues }: Setting) => queues.counts();
const allQueues = ({ queues }: Setting) => queues.list();
const allTokens = ({ tokens }: Setting) => tokens.list();
const allNamespaces = async ({ namespaces }: Setting) =>
  (await namespaces.list()).map(({ name }) => name);

export const REPEATABLE: { readonly [Group in keyof Groups]: CasesOf<Groups[Group]> } = {
  namespaces: {
    create: {
      call: ({ namespaces }, key) => namespaces.create('new', key),
      other: ({ namespaces }, key) => namespaces.delete('new', key),
      meddle: ({ namespaces }) => namespaces.delete('new'),
      look: allNamespaces,
    },
    delete: {
      prepare: ({ namespaces }) => namespaces.create('doomed'),
      call: ({ namespaces }, key) => namespaces.delete('doomed', key),
      other: ({ namespaces }, key) => namespaces.create('doomed', key),
      meddle: ({ namespaces }) => namespaces.create('doomed'),
      look: allNamespaces,
    },
  },
  queues: {
    create: {
      call: ({ queues }, key) => queues.create('new', { weight: 1 }, key),
      other: ({ queues }, key) => queues.create('new', { weight: 2 }, key),
      meddle: ({ queues }) => queues.set('new', { weight: 3 }),
      look: allQueues,
    },
    set: {
      call: ({ queues }, key) => queues.set('q', { weight: 1 }, key),
      other: ({ queues }, key) => queues.set('q', { weight: 2 }, key),
      meddle: ({ queues }) => queues.set('q', { weight: 3 }),
      look: theQueue,
    },
    define: {
      call: ({ queues }, key) => queues.define('q', { weight: 1 }, key),
      other: ({ queues }, key) => queues.define('q', { weight: 2 }, key),
      meddle: ({ queues }) => queues.set('q', { weight: 3 }),
      look: theQueue,
    },
    pause: {
      call: ({ queues }, key) => queues.pause('q', key),
      other: ({ queues }, key) => queues.pause('gated', key),
      meddle: ({ queues }) => queues.resume('q'),
      look: theQueue,
    },
    resume: {
      call: ({ queues }, key) => queues.resume('q', key),
      other: ({ queues }, key) => queues.resume('gated', key),
      meddle: ({ queues }) => queues.pause('q'),
      look: theQueue,
    },
    delete: {
      prepare: ({ queues }) => queues.create('doomed'),
      call: ({ queues }, key) => queues.delete('doomed', key),
      other: ({ queues }, key) => queues.delete('gated', key),
      meddle: ({ queues }) => queues.create('doomed'),
      look: allQueues,
    },
    admit: {
      call: ({ queues }, key) => queues.admit('gated', { limit: 1 }, key),
      other: ({ queues }, key) => queues.admit('gated', { limit: 2 }, key),
      async meddle({ engine, attempts }) {
        const { claims } = await attempts.claim({ node: 'n1', queues: ['gated'] });
        await settle(engine, only(claims), 'succeeded');
      },
      look: taskCounts,
    },
  },
  tasks: {
    submit: {
      call: ({ tasks }, key) => tasks.submit('q', [{ params: 1 }], key),
      other: ({ tasks }, key) => tasks.submit('q', [{ params: 2 }], key),
      look: taskCounts,
    },
    edit: {
      call: ({ tasks, task }, key) => tasks.edit(task, { priorityBy: 1 }, key),
      other: ({ tasks, task }, key) => tasks.edit(task, { priorityBy: 2 }, key),
      look: theTask,
    },
    cancel: {
      call: ({ tasks, task }, key) => tasks.cancel(task, key),
      other: ({ tasks, otherTask }, key) => tasks.cancel(otherTask, key),
      meddle: ({ tasks, task }) => tasks.retry(task),
      look: theTask,
    },
    retry: {
      prepare: ({ tasks, task }) => tasks.cancel(task),
      call: ({ tasks, task }, key) => tasks.retry(task, key),
      other: ({ tasks, otherTask }, key) => tasks.retry(otherTask, key),
      meddle: ({ tasks, task }) => tasks.cancel(task),
      look: theTask,
    },
    hold: {
      call: ({ tasks, task }, key) => tasks.hold(task, key),
      other: ({ tasks, otherTask }, key) => tasks.hold(otherTask, key),
      meddle: ({ tasks, task }) => tasks.release(task),
      look: theTask,
    },
    release: {
      prepare: ({ tasks, task }) => tasks.hold(task),
      call: ({ tasks, task }, key) => tasks.release(task, key),
      other: ({ tasks, otherTask }, key) => tasks.release(otherTask, key),
      meddle: ({ tasks, task }) => tasks.hold(task),
      look: theTask,
    },
    delete: {
      call: ({ tasks, task }, key) => tasks.delete(task, key),
      other: ({ tasks, otherTask }, key) => tasks.delete(otherTask, key),
      look: taskCounts,
    },
    bulk: {
      call: ({ tasks }, key) => tasks.bulk({ ...bulk, change: { priorityBy: 1 } }, key),
      other: ({ tasks }, key) => tasks.bulk({ ...bulk, change: { priorityBy: 2 } }, key),
      look: theTask,
    },
  },
  attempts: {},
  outputs: {},
  nodes: {
    set: {
      call: ({ nodes }, key) => nodes.set('n1', { wish: 'drain' }, key),
      other: ({ nodes }, key) => nodes.set('n1', { wish: 'cordon' }, key),
      meddle: ({ nodes }) => nodes.set('n1', { wish: 'work' }),
      look: theNode,
    },
    deactivate: {
      call: ({ nodes }, key) => nodes.deactivate('n1', key),
      other: ({ nodes }, key) => nodes.deactivate('n2', key),
      meddle: ({ nodes }) => nodes.heartbeat('n1'),
      look: theNode,
    },
    delete: {
      call: ({ nodes }, key) => nodes.delete('n1', key),
      other: ({ nodes }, key) => nodes.delete('n2', key),
      meddle: ({ nodes }) => nodes.heartbeat('n1'),
      look: theNode,
    },
  },
  leases: {},
  tokens: {
    create: {
      call: ({ tokens }, key) => tokens.create(token, key),
      other: ({ tokens }, key) => tokens.create({ ...token, role: 'worker' }, key),
      look: allTokens,
      refused: 'TOKEN_EXISTS',
    },
    revoke: {
      prepare: ({ tokens }) => tokens.create(token),
      call: ({ tokens }, key) => tokens.revoke('new', key),
      other: ({ tokens }, key) => tokens.revoke('newer', key),
      meddle: ({ tokens }) => tokens.create(token),
      look: allTokens,
    },
  },
};
