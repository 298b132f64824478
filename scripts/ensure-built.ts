import { build, isStale } from './build.mjs';

/** Set-up of the suites that run the built program. */
export function setup(): void {
  if (isStale()) build();
}
