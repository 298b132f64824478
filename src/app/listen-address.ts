import { isIPv6 } from 'node:net';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';

/** `127.0.0.1:7700`, `[::1]:7700`, `localhost:7700`, or a port alone on loopback; null when it is none of these. */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, bracketed, name, digits] =
    /^(?:(?:\[([0-9a-f:.]+)\]|([^\s:[\]/]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  if (digits === undefined || Number(digits) > 65_535) return null;
  if (bracketed !== undefined && !isIPv6(bracketed)) return null;
  return { host: bracketed ?? name ?? LOOPBACK, port: Number(digits) };
}

export function formatListenAddress({ host, port }: ListenAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only programs of this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The same for the address of a server. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

/** The URL a person on this machine opens. */
export function toUrl({ host, port }: ListenAddress): string {
  const reachable = host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
  return `http://${formatListenAddress({ host: reachable, port })}`;
}
