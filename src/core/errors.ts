/** Every error the core raises on purpose. docs/errors.md lists them, and a test keeps the two equal. */
export const ERRORS = {
  INVALID_REQUEST: { kind: 'invalid', text: '{field}: {problem}. {remedy}' },
  TOO_LARGE: {
    kind: 'too-large',
    text: '{field} is {size} bytes; at most {limit} are taken. {remedy}',
  },
  NAMESPACE_NOT_FOUND: { kind: 'not-found', text: 'No namespace "{namespace}".' },
  QUEUE_NOT_FOUND: { kind: 'not-found', text: 'No queue "{queue}" in namespace "{namespace}".' },
  TASK_NOT_FOUND: { kind: 'not-found', text: 'No task {task} in namespace "{namespace}".' },
  ATTEMPT_NOT_FOUND: { kind: 'not-found', text: 'Task {task} has no attempt {fence}.' },
  NODE_NOT_FOUND: { kind: 'not-found', text: 'No node "{node}" in namespace "{namespace}".' },
  TOKEN_NOT_FOUND: { kind: 'not-found', text: 'No access token "{token}".' },
  ROUTE_NOT_FOUND: { kind: 'not-found', text: 'Nothing is served at {method} {path}.' },
  QUEUE_EXISTS: {
    kind: 'conflict',
    text: 'Queue "{queue}" exists already in namespace "{namespace}".',
  },
  QUEUE_NOT_EMPTY: {
    kind: 'conflict',
    text: 'Queue "{queue}" still holds {tasks} tasks. Say what becomes of them: delete or keep.',
  },
  QUEUE_CHANGED: {
    kind: 'conflict',
    text: 'Queue "{queue}" was changed meanwhile: it is at revision {revision}. Read it again.',
  },
  TASK_EXISTS: {
    kind: 'conflict',
    text: 'Queue "{queue}" has a task with key {key} already: {task}.',
  },
  TASK_STATE: { kind: 'conflict', text: 'Task {task} is {state}, so it cannot be {action}.' },
  LEASE_LOST: {
    kind: 'conflict',
    text: 'Attempt {fence} of task {task} no longer holds its lease.',
  },
  LEASE_HELD: { kind: 'conflict', text: 'Lease "{lease}" is held by {holder}.' },
  KEY_REUSED: {
    kind: 'conflict',
    text: 'Idempotency key "{key}" was used before for another request. Use a new one.',
  },
  TOKEN_EXISTS: { kind: 'conflict', text: 'An access token named "{token}" exists already.' },
  UNAUTHENTICATED: { kind: 'unauthenticated', text: 'Say who you are: {remedy}' },
  FORBIDDEN: { kind: 'forbidden', text: '{action} needs role {role}; {principal} is {has}.' },
  NAMESPACE_FORBIDDEN: {
    kind: 'forbidden',
    text: '{principal} has no access to namespace "{namespace}".',
  },
  FOREIGN_ORIGIN: { kind: 'forbidden', text: 'Refused: {problem}. {remedy}' },
  STORE_UNAVAILABLE: { kind: 'unavailable', text: 'The store cannot be used: {problem}. {remedy}' },
  SERVER_UNREACHABLE: { kind: 'unavailable', text: 'No server answers at {url}. {remedy}' },
  SHUTTING_DOWN: { kind: 'unavailable', text: 'The server is shutting down. Try again shortly.' },
  INTERNAL: { kind: 'internal', text: 'Something went wrong inside: {problem}' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorKind = (typeof ERRORS)[ErrorCode]['kind'];
export type ErrorDetails = Readonly<Record<string, string>>;

/** The only error the core throws on purpose. Any other is a bug. */
export class BatchError extends Error {
  override readonly name = 'BatchError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    const text = ERRORS[code].text.replace(/\{(\w+)\}/g, (_, name: string) => details[name] ?? '?');
    super(text.trimEnd(), options);
    this.code = code;
    this.details = details;
  }

  get kind(): ErrorKind {
    return ERRORS[this.code].kind;
  }
}

/** The error for one bad field: what is wrong with it, and what would be right. */
export function invalid(field: string, problem: string, remedy = ''): BatchError {
  return new BatchError('INVALID_REQUEST', { field, problem, remedy });
}
