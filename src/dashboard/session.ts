/** The engine behind the page, and who the reader is to it. */
import { batch, computed, signal } from '@preact/signals';
import { connectEngine } from '../client/connect-engine.ts';
import { BatchError, type Engine } from '../core/index.ts';
import { namespace } from './address.ts';

const TOKEN_KEY = 'batchyard.token';

/** Kept for this tab only, and gone with it. */
const token = signal<string | null>(sessionStorage.getItem(TOKEN_KEY));

/** Why a token is asked for; null while none is needed. */
export const signInReason = signal<string | null>(null);
export const isSignedIn = computed(() => token.value !== null);

/** The folder the page was served from: it may lie below a path of another site. */
const url = new URL('.', location.href).href;

export const engine = computed<Engine>(() =>
  connectEngine({ url, namespace: namespace.value, token: token.value }),
);

export function signIn(secret: string): void {
  sessionStorage.setItem(TOKEN_KEY, secret);
  batch(() => {
    token.value = secret;
    signInReason.value = null;
  });
}

export function signOut(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  token.value = null;
}

/** An error in words. One that asks for a login also brings the form up. */
export function toWords(error: unknown): string {
  if (!(error instanceof BatchError)) {
    return `Something went wrong in this page: ${error instanceof Error ? error.message : error}`;
  }
  if (error.kind === 'unauthenticated') {
    signInReason.value =
      token.value === null
        ? 'This server wants to know who you are.'
        : 'The server does not take this token: it is mistyped, was revoked or has expired.';
  }
  return error.message;
}

export function isAway(error: unknown): boolean {
  return error instanceof BatchError && error.kind === 'unavailable';
}
