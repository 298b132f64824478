import { UsageError } from './usage-error.ts';

/** Numbers that are counted, not kept: `1-1000`, `0-100:10`, `1,5,7-9`. */
export interface ArrayRange {
  readonly count: number;
  numbers(): Generator<number>;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

export function toArrayRange(text: string): ArrayRange {
  const spans = text.split(',').map(toSpan);
  return {
    count: spans.reduce((sum, { from, to, step }) => sum + Math.floor((to - from) / step) + 1, 0),
    *numbers() {
      for (const { from, to, step } of spans) {
        for (let number = from; number <= to; number += step) yield number;
      }
    },
  };
}

function toSpan(text: string): Span {
  const [, first, last, by] = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(text) ?? [];
  const from = Number(first);
  const to = last === undefined ? from : Number(last);
  const step = by === undefined ? 1 : Number(by);
  if (first === undefined || !Number.isSafeInteger(to)) {
    throw new UsageError(`"${text}" is no range. Use for example 1-1000, 0-100:10 or 1,5,7-9.`);
  }
  if (to < from) throw new UsageError(`"${text}" goes backwards. Use ${to}-${from}.`);
  if (step < 1) throw new UsageError(`"${text}" has a step of 0.`);
  return { from, to, step };
}
