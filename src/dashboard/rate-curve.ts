/** The curve of work ended per second, as paths of an SVG of CURVE_WIDTH by CURVE_HEIGHT. */
import { type Sample, WINDOW_MS } from './throughput.ts';

const LEAST_WINDOW_MS = 60_000;

export const CURVE_WIDTH = 1000;
export const CURVE_HEIGHT = 100;

export interface RateCurve {
  readonly line: string;
  readonly area: string;
  readonly failedArea: string;
  readonly peak: number;
  /** How long ago the left edge was. */
  readonly windowMs: number;
}

/** The right edge is the newest sample. The window grows with what is known, from one minute to WINDOW_MS. */
export function rateCurve(samples: readonly Sample[]): RateCurve {
  const smooth = samples.map((sample, index) => smoothed(samples, sample, index));
  const peak = Math.max(0, ...smooth.map(({ finished }) => finished));
  const lastMs = smooth.at(-1)?.atMs ?? 0;
  const knownMs = lastMs - (smooth[0]?.atMs ?? lastMs);
  const windowMs = Math.min(WINDOW_MS, Math.max(LEAST_WINDOW_MS, knownMs));
  const x = (atMs: number): number => CURVE_WIDTH * (1 - (lastMs - atMs) / windowMs);
  // A little air above the peak, and no division by nothing.
  const y = (value: number): number => CURVE_HEIGHT * (1 - value / Math.max(peak * 1.08, 1e-9));
  const path = (value: (sample: Sample) => number): string =>
    smooth.map((sample) => `${round(x(sample.atMs))} ${round(y(value(sample)))}`).join('L');
  const close = (points: string): string => {
    const first = smooth[0];
    if (!first) return '';
    return `M${round(x(first.atMs))} ${CURVE_HEIGHT}L${points}L${CURVE_WIDTH} ${CURVE_HEIGHT}Z`;
  };
  const finished = path((sample) => sample.finished);
  return {
    line: smooth.length < 2 ? '' : `M${finished}`,
    area: close(finished),
    failedArea: smooth.some(({ failed }) => failed > 0) ? close(path(({ failed }) => failed)) : '',
    peak,
    windowMs,
  };
}

/** Ends are written in groups, so that single seconds jump; three of them together do not. */
function smoothed(samples: readonly Sample[], sample: Sample, index: number): Sample {
  const near = samples.slice(Math.max(0, index - 2), index + 1);
  const mean = (value: (one: Sample) => number): number =>
    near.reduce((sum, one) => sum + value(one), 0) / near.length;
  return {
    atMs: sample.atMs,
    finished: mean(({ finished }) => finished),
    failed: mean(({ failed }) => failed),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
