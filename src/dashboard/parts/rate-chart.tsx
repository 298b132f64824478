import { rateText } from '../number-text.ts';
import { CURVE_HEIGHT, CURVE_WIDTH, rateCurve } from '../rate-curve.ts';
import { durationText } from '../time-text.ts';
import { throughput } from '../yard.ts';

/** Work ended per second over the last minutes. */
export function RateChart() {
  const { samples, rate } = throughput.value;
  const { line, area, failedArea, peak, windowMs } = rateCurve(samples);
  const length = durationText(windowMs);
  const words = `${rateText(rate)} tasks end per second; the peak of the last ${length} is ${rateText(peak)}`;
  return (
    <figure class="rate-chart">
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`}
        preserveAspectRatio="none"
      >
        <title>{words}</title>
        <line class="rate-grid" x1="0" x2={CURVE_WIDTH} y1={CURVE_HEIGHT} y2={CURVE_HEIGHT} />
        <line
          class="rate-grid"
          x1="0"
          x2={CURVE_WIDTH}
          y1={CURVE_HEIGHT / 2}
          y2={CURVE_HEIGHT / 2}
        />
        <path class="rate-area" d={area} />
        <path class="rate-failed" d={failedArea} />
        <path class="rate-line" d={line} />
      </svg>
      <figcaption>
        <span>{length} ago</span>
        <span>
          {failedArea !== '' && (
            <span class="rate-key">
              <i class="rate-key-failed" /> failed
            </span>
          )}
          {peak > 0 && <span>peak {rateText(peak)}/s</span>}
        </span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
