import { describe, expect, it } from 'vitest';
import { findNetworkMount } from './network-mount.ts';

const MOUNTS = `
/dev/vda / ext4 rw,relatime 0 0
server:/export /srv/shared nfs4 rw,vers=4.2 0 0
/dev/vdb /srv/shared/local xfs rw 0 0
//server/share /mnt/with\\040space cifs rw 0 0
tmpfs /srv/shared-not tmpfs rw 0 0
`;

describe('a network mount', () => {
  it.each([
    ['/srv/shared/batchyard.db', 'nfs4'],
    ['/srv/shared', 'nfs4'],
    ['/mnt/with space/batchyard.db', 'cifs'],
  ])('is found above %s', (path, type) => {
    expect(findNetworkMount(path, MOUNTS)).toBe(type);
  });

  it.each([
    '/home/someone/batchyard.db',
    '/srv/shared/local/batchyard.db',
    '/srv/shared-not/batchyard.db',
  ])('is not seen above %s', (path) => {
    expect(findNetworkMount(path, MOUNTS)).toBeNull();
  });

  it('is not seen where the system lists no mounts', () => {
    expect(findNetworkMount('/srv/shared/batchyard.db', '')).toBeNull();
  });
});
