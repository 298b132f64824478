/** The part of Standard Schema v1 that handlers need; zod, valibot and arktype offer it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** `params.user.age: Expected a number; params.name: Required` */
export function describeIssues(root: string, issues: readonly StandardIssue[]): string {
  return issues.map(({ message, path }) => `${pathText(root, path ?? [])}: ${message}`).join('; ');
}

function pathText(root: string, path: NonNullable<StandardIssue['path']>): string {
  return path.reduce<string>((text, part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`;
  }, root);
}
