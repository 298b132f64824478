const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

export const SIZE_EXAMPLES = '64KiB, 16MiB, 1GB, or a number of bytes';

/** Bytes of `16MiB`; null when the text is no size. */
export function parseSize(text: string): number | null {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([kKMG]i?B|B)?$/.exec(text) ?? [];
  const factor = UNITS[(unit ?? '').replace(/^KB$/, 'kB')];
  if (count === undefined || factor === undefined) return null;
  const bytes = Math.round(Number(count) * factor);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

export function formatSize(bytes: number): string {
  for (const unit of ['GiB', 'MiB', 'KiB'] as const) {
    const factor = UNITS[unit] ?? 1;
    if (bytes >= factor) return `${Number((bytes / factor).toFixed(1))}${unit}`;
  }
  return `${bytes}B`;
}
