import { existsSync } from 'node:fs';
import { installDebianPackage } from '../../../scripts/debian-package.ts';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
];
const ADVICE = 'Install it: sudo apt-get install libfaketime';

/** The environment of a process whose wall clock is wrong by this much: `+1h`, `-3600s`. */
export function wallClockOff(by: string): Record<string, string> {
  const find = () => LIBRARIES.find((file) => existsSync(file));
  if (!find()) installDebianPackage('libfaketime', ADVICE);
  const library = find();
  if (!library) throw new Error(`libfaketime is not where it should be. ${ADVICE}`);
  return { LD_PRELOAD: library, FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
