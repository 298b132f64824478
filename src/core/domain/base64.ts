/** Bytes as base64 text, in Node and in browsers. */
export function toBase64(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  const pieces: string[] = [];
  // A call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8192)));
  }
  return btoa(pieces.join(''));
}

/** The bytes of base64 text, with or without padding, in the usual or the URL alphabet; null when it is not base64. */
export function findBase64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null;
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (plain.length % 4 === 1) return null;
  if (typeof Buffer !== 'undefined') return new Uint8Array(Buffer.from(plain, 'base64'));
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}
