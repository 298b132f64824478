import { checkName } from '../domain/namespace.ts';
import { mayUse } from '../domain/principal.ts';
import { BatchError } from '../errors.ts';
import type { Handle } from './engine-context.ts';
import type { NamespaceOperations } from './namespace-operations.ts';
import { once } from './once.ts';

export function createNamespaceOperations(handle: Handle): NamespaceOperations {
  const { store, principal } = handle;
  const allow = (namespace: string): void => {
    checkName('namespace', namespace);
    if (mayUse(principal, namespace)) return;
    throw new BatchError('NAMESPACE_FORBIDDEN', { principal: principal.name, namespace });
  };
  return {
    async list() {
      const all = await store.namespaces.list();
      return all.filter(({ name }) => mayUse(principal, name));
    },
    async create(name, options) {
      allow(name);
      await once(handle, options, ['namespaces.create', name], (step) =>
        store.namespaces.ensure(name, step),
      );
    },
    async delete(name, options) {
      allow(name);
      const answer = await once(handle, options, ['namespaces.delete', name], (step) =>
        store.namespaces.delete(name, step),
      );
      if (answer === 'missing') throw new BatchError('NAMESPACE_NOT_FOUND', { namespace: name });
    },
    async counts() {
      const all = await store.queues.counts(null, handle.step());
      return all
        .filter(({ namespace }) => mayUse(principal, namespace))
        .map(({ namespace, queue, counts }) => ({ namespace, queue, counts }));
    },
  };
}
