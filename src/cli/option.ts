import { UsageError } from './usage-error.ts';

/** What can be completed live, or the words to choose from. */
export type Completion =
  | 'queue'
  | 'node'
  | 'namespace'
  | 'token'
  | 'file'
  | 'none'
  | readonly string[];

/** One option of a command: how it is written, and how its text becomes a value. */
export interface Option<Value> {
  /** `--priority <number>` */
  readonly flags: string;
  readonly summary: string;
  readonly completion: Completion;
  /** From all that was given for it, in order; `null` stands for the option without a value. */
  readonly read: (given: readonly (string | null)[]) => Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type ValuesOf<Given extends Options> = {
  readonly [Name in keyof Given]: Given[Name] extends Option<infer Value> ? Value : never;
};

/** `--quiet`: there or not. */
export function flag(flags: string, summary: string): Option<boolean> {
  return { flags, summary, completion: 'none', read: (given) => given.length > 0 };
}

/** `--priority <number>`: the last one counts; undefined when not given. */
export function value<Value>(
  flags: string,
  summary: string,
  read: (text: string) => Value,
  completion: Completion = 'none',
): Option<Value | undefined> {
  const readNamed = withName(flags, read);
  return {
    flags,
    summary,
    completion,
    read: (given) => (given.length === 0 ? undefined : readNamed(given.at(-1) ?? '')),
  };
}

/** `--label <name=value>`: may be given many times. */
export function values<Value>(
  flags: string,
  summary: string,
  read: (text: string) => Value,
  completion: Completion = 'none',
): Option<readonly Value[]> {
  const readNamed = withName(flags, read);
  return {
    flags,
    summary: `${summary} May be repeated.`,
    completion,
    read: (given) => given.map((text) => readNamed(text ?? '')),
  };
}

/** `--paused [true|false]`: on when said without a value; undefined when not given. */
export function toggle(name: string, summary: string): Option<boolean | undefined> {
  const flags = `${name} [true|false]`;
  return {
    flags,
    summary,
    completion: ['true', 'false'],
    read(given) {
      const last = given.at(-1);
      if (last === undefined) return undefined;
      if (last === null || last === 'true') return true;
      if (last === 'false') return false;
      throw new UsageError(`${name}: "${last}" is neither true nor false.`);
    },
  };
}

/** `--program [argv...]`: words up to the next option; [] when none follow; undefined when not given. */
export function words(flags: string, summary: string): Option<readonly string[] | undefined> {
  return {
    flags,
    summary,
    completion: 'file',
    read: (given) => (given.length === 0 ? undefined : given.filter((word) => word !== null)),
  };
}

/** The option's long name: `--priority`. */
export function longName(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function withName<Value>(flags: string, read: (text: string) => Value) {
  return (text: string): Value => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof UsageError) {
        throw new UsageError(`${longName(flags)}: ${error.message}`);
      }
      throw error;
    }
  };
}
