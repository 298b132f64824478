import { checkWhole } from '../domain/check.ts';
import { checkQueueSettings } from '../domain/check-queue.ts';
import { checkNameGiven } from '../domain/namespace.ts';
import { QUEUE_DEFAULTS, type Queue, type QueueSettings } from '../domain/queue.ts';
import { noCounts } from '../domain/task.ts';
import { BatchError, invalid } from '../errors.ts';
import { leaseName } from './create-lease-operations.ts';
import type { Handle } from './engine-context.ts';
import { once } from './once.ts';
import { pageOf } from './page-of.ts';
import { getQueue, queueMissing } from './queue-lookup.ts';
import type { QueueOperations } from './queue-operations.ts';
import type { Repeatable } from './repeatable.ts';
import { needRole } from './roles.ts';

/** How often a change is tried again when another one came between reading and writing. */
const MOST_RACES = 20;

/** The caller's key, and what it stands for. */
interface Keyed {
  readonly options: (Repeatable & { readonly revision?: number }) | undefined;
  readonly request: unknown;
}

export function createQueueOperations(handle: Handle): QueueOperations {
  const { store, namespace, ids } = handle;
  const get = (name: string): Promise<Queue> => getQueue(handle, name);

  const check = (settings: Partial<QueueSettings>): void => {
    checkQueueSettings(settings);
    if (settings.program) needRole(handle.principal, 'admin', 'A queue with a program');
  };

  const insert = (name: string, settings: Partial<QueueSettings>, keyed: Keyed) => {
    checkNameGiven('queue', name);
    check(settings);
    return once(handle, keyed.options, keyed.request, (step) =>
      store.queues.insert({ ...withDefaults(settings), id: ids.next(), namespace, name }, step),
    );
  };

  /** Reads, changes and writes, again if somebody else wrote meanwhile. */
  const change = async (
    name: string,
    to: (queue: Queue) => { settings: QueueSettings; nextContinuousAt?: Date | null },
    { options, request }: Keyed,
  ): Promise<Queue> => {
    for (let race = 0; ; race++) {
      // A lost race is an answer too and would be kept: each go is a part of its own.
      const part = options && { ...options, part: `race ${race}` };
      const answer = await once(handle, part, request, async (step) => {
        const queue = await get(name);
        const revision = options?.revision ?? queue.revision;
        return store.queues.update({ id: queue.id, revision, ...to(queue) }, step);
      });
      if (answer.status === 'updated') return get(name);
      if (answer.status === 'missing') throw queueMissing(handle, name);
      if (options?.revision === undefined && race < MOST_RACES) continue;
      throw new BatchError('QUEUE_CHANGED', { queue: name, revision: String(answer.revision) });
    }
  };

  const set: QueueOperations['set'] = async (name, given, options) => {
    check(given);
    const request = ['queues.set', name, given, options?.revision];
    return change(name, (queue) => ({ settings: merged(queue, given) }), { options, request });
  };

  return {
    async create(name, settings = {}, options) {
      const request = ['queues.create', name, settings];
      const answer = await insert(name, settings, { options, request });
      if (answer === 'exists') throw new BatchError('QUEUE_EXISTS', { queue: name, namespace });
      return get(name);
    },
    find: (name) => store.queues.find(namespace, name),
    get,
    list: async (page) => store.queues.list(namespace, pageOf(page)),
    set,
    async define(name, settings, options) {
      const keyed = { options, request: ['queues.define', name, settings] };
      const answer = await insert(name, settings, keyed);
      if (answer === 'inserted') return get(name);
      return change(
        name,
        () => ({ settings: withDefaults(settings), nextContinuousAt: null }),
        keyed,
      );
    },
    pause: (name, options) => set(name, { paused: true }, options),
    resume: (name, options) => set(name, { paused: false }, options),
    async delete(name, options = {}) {
      const { tasks = 'refuse' } = options;
      const answer = await once(handle, options, ['queues.delete', name, tasks], async (step) => {
        const { id } = await get(name);
        return store.queues.delete({ id, tasks }, step);
      });
      if (answer.status === 'missing') throw queueMissing(handle, name);
      if (answer.status === 'refused') {
        throw new BatchError('QUEUE_NOT_EMPTY', { queue: name, tasks: String(answer.tasks) });
      }
      return { tasks: answer.tasks };
    },
    async counts() {
      const all = await store.queues.counts(namespace, handle.step());
      return all.map(({ queue, counts }) => ({ queue, counts }));
    },
    async countsOf(name) {
      await get(name);
      const all = await store.queues.counts(namespace, handle.step());
      return all.find(({ queue }) => queue === name)?.counts ?? noCounts();
    },
    async admit(name, request, options) {
      checkWhole('limit', request.limit);
      const lease = request.lease
        ? { name: leaseName(namespace, request.lease.name), term: request.lease.term }
        : null;
      const answer = await once(handle, options, ['queues.admit', name, request], async (step) => {
        const queue = await get(name);
        if (queue.admission !== 'gated') {
          throw invalid('queue', `"${name}" is not gated`, 'Set admission to gated first');
        }
        return store.queues.admit({ queueId: queue.id, limit: request.limit, lease }, step);
      });
      if (answer === 'missing') throw queueMissing(handle, name);
      if (answer === 'lease-lost') {
        throw new BatchError('LEASE_HELD', { lease: request.lease?.name ?? '', holder: 'another' });
      }
      return answer;
    },
  };
}

function withDefaults(given: Partial<QueueSettings>): QueueSettings {
  const settings = { ...QUEUE_DEFAULTS, ...given };
  return { ...settings, canBeContinuous: given.canBeContinuous ?? settings.continuous };
}

/** Continuous work is switched on only where the definition allowed it; otherwise the wish is ignored. */
function merged(queue: Queue, given: Partial<QueueSettings>): QueueSettings {
  const settings = Object.fromEntries(
    (Object.keys(QUEUE_DEFAULTS) as (keyof QueueSettings)[]).map((name) => [
      name,
      given[name] === undefined ? queue[name] : given[name],
    ]),
  ) as unknown as QueueSettings;
  const { handler, program } = settings;
  if (handler !== null && program !== null) {
    throw invalid('program', 'the queue has a handler', 'Set handler to null with it');
  }
  return { ...settings, continuous: settings.continuous && settings.canBeContinuous };
}
