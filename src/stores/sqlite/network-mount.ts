import { readFileSync } from 'node:fs';

const NETWORK_TYPES = new Set([
  '9p',
  'afs',
  'beegfs',
  'ceph',
  'cifs',
  'davfs',
  'fuse.davfs2',
  'fuse.glusterfs',
  'fuse.rclone',
  'fuse.s3fs',
  'fuse.sshfs',
  'glusterfs',
  'gpfs',
  'lustre',
  'ncpfs',
  'nfs',
  'nfs4',
  'smb3',
  'smbfs',
]);

/**
 * The type of network file system a path lies on, or null. Locks and syncs do not hold there
 * as SQLite needs them. `mounts` is in the form of /proc/mounts.
 */
export function findNetworkMount(path: string, mounts: string): string | null {
  let best = { point: '', type: '' };
  for (const line of mounts.split('\n')) {
    const [, escaped, type] = line.split(' ');
    if (escaped === undefined || type === undefined) continue;
    const point = escaped.replace(/\\([0-7]{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    const isAbove = point === '/' || path === point || path.startsWith(`${point}/`);
    if (isAbove && point.length >= best.point.length) best = { point, type };
  }
  return NETWORK_TYPES.has(best.type) ? best.type : null;
}

/** What is mounted on this machine; nothing where the system does not say. */
export function readMounts(): string {
  try {
    return readFileSync('/proc/mounts', 'utf8');
  } catch {
    return '';
  }
}
