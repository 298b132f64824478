import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BatchError, type ErrorKind, invalid, type Logger } from '../../core/index.ts';
import { LARGEST_BODY_BYTES } from '../contract/endpoint.ts';
import { toErrorJson } from '../contract/error-json.ts';
import { tooLarge } from './json-body.ts';

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  'too-large': 413,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unavailable: 503,
  internal: 500,
};

export function statusOf(error: BatchError): number {
  const isForm = /^content-(type|encoding)$/.test(error.details.field ?? '');
  return isForm && error.kind === 'invalid' ? 415 : STATUS[error.kind];
}

/** Answers with any error: ours as they are, the framework's in our words, bugs without a word of their insides. */
export function createErrorHandler(logger: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toBatchError(thrown, request);
    if (error.kind === 'internal') {
      const { method, id } = request;
      logger.error('api.failed', { method, route: request.routeOptions.url, id, error: thrown });
    }
    if (error.kind === 'unavailable') reply.header('retry-after', '1');
    if (error.kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
    return reply
      .code(statusOf(error))
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toErrorJson(error)));
  };
}

function toBatchError(thrown: unknown, request: FastifyRequest): BatchError {
  if (thrown instanceof BatchError && thrown.kind !== 'internal') return thrown;
  return fromFramework(thrown as FastifyError, request) ?? inside(request);
}

function inside({ id }: FastifyRequest): BatchError {
  return new BatchError('INTERNAL', { problem: `the server's log says what, under request ${id}` });
}

function fromFramework(error: FastifyError, request: FastifyRequest): BatchError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(
        'body',
        request.headers['content-length'] ?? `more than ${LARGEST_BODY_BYTES}`,
        LARGEST_BODY_BYTES,
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return wrongContentType(request.headers['content-type']);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('content-length', 'it is not the length of the body', 'Send the right one');
    case 'FST_ERR_BAD_URL':
      return invalid('path', 'its percent-encoding is broken', 'Encode each name as UTF-8');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return invalid('path', 'a name in it is too long', 'Names have at most 255 characters');
    default:
      return null;
  }
}

export function wrongContentType(given: string | undefined): BatchError {
  const problem = given ? `"${given.slice(0, 100)}" is not taken here` : 'there is none';
  return invalid('content-type', problem, 'Send application/json');
}
