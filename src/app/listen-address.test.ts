import { describe, expect, it } from 'vitest';
import {
  formatListenAddress,
  isLoopback,
  isLoopbackUrl,
  parseListenAddress,
  toUrl,
} from './listen-address.ts';

describe('an address to listen on', () => {
  it.each([
    ['7700', '127.0.0.1', 7700],
    ['127.0.0.1:0', '127.0.0.1', 0],
    ['localhost:80', 'localhost', 80],
    ['[::1]:7700', '::1', 7700],
    ['yard.example.org:7700', 'yard.example.org', 7700],
  ])('%s', (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });

  it.each(['', ':7700', 'host', '::1:7700', '[nonsense]:1', '127.0.0.1:65536', 'http://a:1'])(
    'is not "%s"',
    (text) => {
      expect(parseListenAddress(text)).toBeNull();
    },
  );

  it('is of this machine alone, or not', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].map(isLoopback)).not.toContain(false);
    expect(['http://[::1]:1', 'http://localhost/x'].map(isLoopbackUrl)).not.toContain(false);
    expect(['http://yard:1', 'nonsense'].map(isLoopbackUrl)).not.toContain(true);
    expect(['0.0.0.0', '::', '10.0.0.1', '127.evil.org'].map(isLoopback)).not.toContain(true);
  });

  it('is written as it is read, and has a URL that can be opened', () => {
    expect(formatListenAddress({ host: '::1', port: 7700 })).toBe('[::1]:7700');
    expect(toUrl({ host: '0.0.0.0', port: 7700 })).toBe('http://127.0.0.1:7700');
    expect(toUrl({ host: '::', port: 7700 })).toBe('http://[::1]:7700');
  });
});
