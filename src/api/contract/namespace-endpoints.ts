import { z } from 'zod';
import type { Namespace, NamespaceCounts } from '../../core/index.ts';
import { endpoint } from './endpoint.ts';
import { open, strict } from './object-schemas.ts';
import { PathName } from './path-name.ts';
import { TaskCountsJson } from './queue-schemas.ts';
import { Instant, Name } from './wire-values.ts';

export interface InNamespace {
  readonly namespace: string;
}

export const inNamespace = { namespace: PathName };
const NamespaceParams = strict<InNamespace>(inNamespace);

const NamespaceJson = open<Namespace>({ name: Name, createdAt: Instant }).meta({
  id: 'Namespace',
});

const NamespaceCountsJson = open<NamespaceCounts>({
  namespace: Name,
  queue: Name,
  counts: TaskCountsJson,
});

export const listNamespaces = endpoint({
  name: 'namespaces.list',
  method: 'GET',
  path: '/namespaces',
  summary: 'List the namespaces you may use.',
  answer: open<{ namespaces: Namespace[] }>({ namespaces: z.array(NamespaceJson) }),
});

export const createNamespace = endpoint({
  name: 'namespaces.create',
  method: 'PUT',
  path: '/namespaces/:namespace',
  summary: 'Make a namespace ahead of its first use; again is no error.',
  params: NamespaceParams,
});

export const deleteNamespace = endpoint({
  name: 'namespaces.delete',
  method: 'DELETE',
  path: '/namespaces/:namespace',
  summary: 'Delete a namespace with all that is in it.',
  params: NamespaceParams,
  errors: ['NAMESPACE_NOT_FOUND'],
});

export const countNamespaces = endpoint({
  name: 'namespaces.counts',
  method: 'GET',
  path: '/counts',
  summary: 'Count the tasks of every queue of every namespace you may use, by state.',
  answer: open<{ counts: NamespaceCounts[] }>({ counts: z.array(NamespaceCountsJson) }),
});
