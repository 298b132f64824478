/** Lists as PostgreSQL reads them: one text per list is far cheaper than the driver's own way. */

export function toNumbers(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

export function toFlags(values: readonly boolean[]): string {
  return `{${values.join(',')}}`;
}

/** Of hex digits. */
export function toByteas(values: readonly (string | null)[]): string {
  return `{${values.map((hex) => (hex === null ? 'null' : `"\\\\x${hex}"`)).join(',')}}`;
}

export function toTexts(values: readonly (string | null)[]): string {
  return `{${values.map(toItem).join(',')}}`;
}

function toItem(text: string | null): string {
  if (text === null) return 'null';
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
