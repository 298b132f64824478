import { spawnSync } from 'node:child_process';

/** Installs a package of Debian's, for tests that need a program of the system. Only root can; others are told. */
export function installDebianPackage(name: string, advice: string): void {
  if (process.getuid?.() !== 0) {
    throw new Error(`The tests need the package ${name}, and only root can install it. ${advice}`);
  }
  console.error(`installing ${name} for the tests (about a minute, once) …`);
  aptGet(['update'], advice);
  aptGet(['install', '-y', '--no-install-recommends', name], advice);
}

function aptGet(args: readonly string[], advice: string): void {
  const { status, error } = spawnSync(
    'apt-get',
    ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  if (error || status !== 0) throw new Error(`\`apt-get ${args.join(' ')}\` failed. ${advice}`);
}
