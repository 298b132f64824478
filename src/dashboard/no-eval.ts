/**
 * Imported before everything else. zod asks the browser whether it may make functions from text,
 * which the page's policy forbids and reports as a violation; this setting keeps it from asking.
 */
declare global {
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

globalThis.__zod_globalConfig = { jitless: true };

export {};
