import { describe, expect, it } from 'vitest';
import { type Place, toHash, toRoute } from './route.ts';

const ID = '69a42bc0000000000000000f';

describe('routes', () => {
  const places: Place[] = [
    { page: 'overview' },
    { page: 'nodes' },
    { page: 'tasks' },
    { page: 'tasks', state: 'failed', search: 'a&b=c #?' },
    { page: 'tasks', node: 'node/1' },
    { page: 'queue', queue: 'thumbs' },
    { page: 'queue', queue: '../a b/<img src=x>?#%\u202e', state: 'queued', search: '%' },
    { page: 'task', id: ID },
    { page: 'task', id: ID, fence: 3 },
  ];

  it.each(places)('come back from the address as they went in: %j', (place) => {
    expect(toRoute(toHash(place, 'default'))).toEqual({ ...place, namespace: 'default' });
    expect(toRoute(toHash(place, 'other one'))).toEqual({ ...place, namespace: 'other one' });
  });

  it.each(['#/nowhere', '#/tasks/nope', '#/queues/', '#/queues/%E0%A4%A', '#/tasks/a/b', '#x'])(
    'lead nowhere when they are not understood: %s',
    (hash) => {
      expect(toRoute(hash).page).toBe('nowhere');
    },
  );

  it('pass over a state that is none', () => {
    expect(toRoute('#/tasks?state=asleep')).toEqual({ page: 'tasks', namespace: 'default' });
  });

  it('take no namespace that cannot be one', () => {
    expect(toRoute('#/tasks?namespace=%01')).toEqual({ page: 'nowhere', namespace: 'default' });
  });
});
