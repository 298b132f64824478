/** How many of the bytes to take so that no UTF-8 character is cut at the end; all, if they are no UTF-8. */
export function wholeCharactersLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] as number;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? length - back : length;
  }
  return length;
}

/** How many leading bytes belong to a character that began before. */
export function continuationLength(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && isContinuation(bytes[count] as number)) count += 1;
  return count;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0 && first <= 0xf4) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xc2 && first < 0xe0) return 2;
  return 1;
}
