import { z } from 'zod';

/**
 * A name as one segment of a path, before percent-encoding. A segment cannot be empty, and "." and
 * ".." mean something else to every HTTP client; so one leading `~` is dropped, and such names
 * (and those that begin with `~`) are written with one.
 */
export const PathName: z.ZodType<string> = z.codec(z.string().max(10_000), z.string(), {
  decode: (segment) => (segment.startsWith('~') ? segment.slice(1) : segment),
  encode: (name) => (/^(?:|\.|\.\.|~.*)$/s.test(name) ? `~${name}` : name),
});

/** Fills `:name` places of a path with segments, percent-encoded. */
export function toPath(path: string, segments: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(segments[name] ?? ''));
}
