import type { Schemas } from '../api/client';

export type OutcomePoint = Pick<Schemas['DeliveryStatsPointDto'], 'start' | 'delivered' | 'failed'>;

/** Delivered and failed calls between two times. */
export interface Outcomes {
  readonly start: number;
  /** Undefined for the last bar, which still grows. */
  readonly end: number | undefined;
  readonly delivered: number;
  readonly failed: number;
}

/** Total number of failed calls. */
export const failedOf = ({ failed }: Pick<OutcomePoint, 'failed'>): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** Success rate as text; empty without calls. Only 0 % and 100 % have no decimal. */
export function shareOf(perMillion: number | null): string {
  if (perMillion === null) return '';
  if (perMillion === 0 || perMillion === 1_000_000) return `${perMillion / 10_000} %`;
  return `${(Math.floor(perMillion / 1_000) / 10).toFixed(1)} %`;
}

/** Groups points into at most a number of bars. */
export function inBars(points: readonly OutcomePoint[], bars: number): Outcomes[] {
  const size = Math.max(1, Math.ceil(points.length / bars));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const part = points.slice(index * size, (index + 1) * size);
    return {
      start: part[0]?.start ?? 0,
      end: points[(index + 1) * size]?.start,
      delivered: part.reduce((sum, { delivered }) => sum + delivered, 0),
      failed: part.reduce((sum, point) => sum + failedOf(point), 0),
    };
  });
}
