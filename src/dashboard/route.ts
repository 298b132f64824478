/** Where the reader is, as the part of the address after `#`; it can be copied and sent. */
import { checkName, DEFAULT_NAMESPACE, isId, TASK_STATES, type TaskState } from '../core/index.ts';

export type Place =
  | { readonly page: 'overview' }
  | ({ readonly page: 'queue'; readonly queue: string } & ListPlace)
  | ({ readonly page: 'tasks'; readonly node?: string } & ListPlace)
  | { readonly page: 'task'; readonly id: string; readonly fence?: number }
  | { readonly page: 'nodes' }
  | { readonly page: 'nowhere' };

/** What a list of tasks is narrowed to. */
export interface ListPlace {
  readonly state?: TaskState;
  readonly search?: string;
}

export type Route = Place & { readonly namespace: string };

export function toRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const params = new URLSearchParams(query);
  const namespace = params.get('namespace') ?? DEFAULT_NAMESPACE;
  if (!isName(namespace)) return { page: 'nowhere', namespace: DEFAULT_NAMESPACE };
  return { ...toPlace(path, params), namespace };
}

export function toHash(place: Place, namespace: string): string {
  const params = new URLSearchParams();
  for (const name of ['state', 'search', 'node', 'fence'] as const) {
    const value = (place as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  if (namespace !== DEFAULT_NAMESPACE) params.set('namespace', namespace);
  const query = params.toString();
  return `#${toPathname(place)}${query === '' ? '' : `?${query}`}`;
}

function toPathname(place: Place): string {
  switch (place.page) {
    case 'queue':
      return `/queues/${encodeURIComponent(place.queue)}`;
    case 'task':
      return `/tasks/${place.id}`;
    case 'tasks':
      return '/tasks';
    case 'nodes':
      return '/nodes';
    default:
      return '/';
  }
}

function toPlace(path: string, params: URLSearchParams): Place {
  const [root, area = '', name, ...rest] = path.split('/');
  if (root !== '' || rest.length > 0) return { page: 'nowhere' };
  if (name === undefined) {
    if (area === '') return { page: 'overview' };
    if (area === 'nodes') return { page: 'nodes' };
    if (area !== 'tasks') return { page: 'nowhere' };
    const node = params.get('node');
    return { page: 'tasks', ...toListPlace(params), ...(node !== null && { node }) };
  }
  if (area === 'tasks' && isId(name)) return toTaskPlace(name, params);
  const queue = area === 'queues' ? findDecoded(name) : null;
  if (queue === null || queue === '') return { page: 'nowhere' };
  return { page: 'queue', queue, ...toListPlace(params) };
}

function toTaskPlace(id: string, params: URLSearchParams): Place {
  const fence = Number(params.get('fence') ?? Number.NaN);
  return { page: 'task', id, ...(Number.isSafeInteger(fence) && { fence }) };
}

function toListPlace(params: URLSearchParams): ListPlace {
  const state = TASK_STATES.find((known) => known === params.get('state'));
  const search = params.get('search');
  return { ...(state && { state }), ...(search && { search }) };
}

function isName(text: string): boolean {
  try {
    checkName('namespace', text);
    return true;
  } catch {
    return false;
  }
}

function findDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
