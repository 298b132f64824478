import { z } from 'zod';
import { BatchError, ERRORS, type ErrorCode, type ErrorDetails } from '../../core/index.ts';
import { open } from './object-schemas.ts';

/** Every answer that is not a success has this body. */
export interface ErrorJson {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: ErrorDetails;
  };
}

export const ErrorJson = open<ErrorJson>({
  error: open<ErrorJson['error']>({
    code: z.string().describe('A code of docs/errors.md.'),
    message: z.string(),
    details: z
      .record(z.string(), z.string())
      .describe('What the message is made of: field, problem, remedy …'),
  }),
}).meta({ id: 'Error' });

export function toErrorJson(error: BatchError): ErrorJson {
  return { error: { code: error.code, message: error.message, details: error.details } };
}

/** The error as it was thrown; one of a newer server, whose code is not known here, keeps its message. */
export function fromErrorJson({ error }: ErrorJson): BatchError {
  if (Object.hasOwn(ERRORS, error.code)) {
    return new BatchError(error.code as ErrorCode, error.details);
  }
  return new BatchError('INTERNAL', { problem: `${error.code}: ${error.message}` });
}
