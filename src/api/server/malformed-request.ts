import { STATUS_CODES } from 'node:http';
import { invalid } from '../../core/index.ts';
import { toErrorJson } from '../contract/error-json.ts';

/** The whole answer to something that is not HTTP, or has too long a head. */
export function malformedAnswer({ code }: { readonly code?: string }): string {
  const isLong = code === 'HPE_HEADER_OVERFLOW';
  const isSlow = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = isLong ? 431 : isSlow ? 408 : 400;
  const error = isLong
    ? invalid('headers', 'they are too long', 'Send less than 16 KiB')
    : isSlow
      ? invalid('headers', 'they took too long', 'Send them at once')
      : invalid('request', 'it is not HTTP', 'Send HTTP/1.1');
  const body = JSON.stringify(toErrorJson(error));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
