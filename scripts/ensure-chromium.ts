/**
 * Finds Chromium for the browser tests, and installs Debian's when there is none.
 * Run by itself it prints the path; as a set-up of the browser suite it provides `chromiumPath`.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { installDebianPackage } from './debian-package.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    chromiumPath: string;
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ADVICE =
  'Install it (on Debian or Ubuntu: `sudo apt-get install chromium`), or set CHROMIUM_PATH to its program.';

export function findChromium(): string | null {
  const fromEnvironment = process.env.CHROMIUM_PATH;
  if (fromEnvironment) return fromEnvironment;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  installDebianPackage('chromium', ADVICE);
  const installed = findChromium();
  if (!installed) throw new Error(`apt-get installed no Chromium. ${ADVICE}`);
  return installed;
}

export function setup(project: TestProject): void {
  project.provide('chromiumPath', ensureChromium());
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(ensureChromium());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
