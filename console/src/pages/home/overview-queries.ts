import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { failedOf, type Outcomes } from '../../parts/outcomes';

const HOUR_MS = 3_600_000;
const REFRESH_MS = 30_000;

/** Ranges of the chart. */
export const RANGES = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;
export type Range = keyof typeof RANGES;
const HOURS_PER_BAR = { '24h': 1, '7d': 6, '30d': 24 } as const;

/** Attempts from some time on. */
interface Point {
  readonly start: number;
  readonly delivered: number;
  readonly failed: number;
  /** Response time; null without responses, or if it is not known. */
  readonly p99: number | null;
}

/** Attempts over time. */
export interface Course {
  readonly points: readonly Point[];
  readonly p99: number | null;
}

/** Attempts of all outgoing webhooks, for administrators, or of some of them. */
export const courseOf = (hookIds: readonly string[] | undefined, range: Range) =>
  queryOptions({
    queryKey: ['deliveries', 'stats', 'course', hookIds, range],
    queryFn: () => (hookIds ? readSome(hookIds, range) : readAll(range)),
    enabled: hookIds?.length !== 0,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

async function readAll(range: Range): Promise<Course> {
  const { points, totals } = await answerOf(
    api.GET('/api/v4/hooks/outgoing/deliveries/stats', { params: { query: { range } } }),
  );
  return {
    points: points.map((one) => ({ ...one, failed: failedOf(one), p99: one.p99_ms })),
    p99: totals.p99_ms,
  };
}

/** The server counts at most this many webhooks at once, and no months. */
const MAX_COUNTED = 100;

async function readSome(hookIds: readonly string[], range: Range): Promise<Course> {
  const {
    hooks,
    start,
    step_seconds: step,
  } = await answerOf(
    api.POST('/api/v4/hooks/outgoing/stats', {
      params: { query: { range: range === '24h' ? '24h' : '7d' } },
      body: { hook_ids: hookIds.slice(0, MAX_COUNTED) },
    }),
  );
  const sumAt = (index: number, name: 'delivered' | 'failed'): number =>
    hooks.reduce((sum, hook) => sum + (hook[name][index] ?? 0), 0);
  const points = (hooks[0]?.delivered ?? []).map((_, index) => ({
    start: start + index * step * 1_000,
    delivered: sumAt(index, 'delivered'),
    failed: sumAt(index, 'failed'),
    p99: null,
  }));
  return { points, p99: null };
}

/** The points between two ages in hours. */
export const pointsOf = ({ points }: Course, from: number, to: number): Point[] => {
  const now = Date.now();
  return points.filter(({ start }) => start >= now - from * HOUR_MS && start < now - to * HOUR_MS);
};

/** Bars of whole hours or days. */
export function barsOf({ points }: Course, range: Range): Outcomes[] {
  const bars = new Map<string, Outcomes>();
  for (const { start, delivered, failed } of points) {
    const at = new Date(start);
    const key = `${at.toDateString()} ${Math.floor(at.getHours() / HOURS_PER_BAR[range])}`;
    const bar = bars.get(key) ?? { start, end: undefined, delivered: 0, failed: 0 };
    bars.set(key, { ...bar, delivered: bar.delivered + delivered, failed: bar.failed + failed });
  }
  const all = [...bars.values()];
  return all.map((bar, index) => ({ ...bar, end: all[index + 1]?.start }));
}

/** Number of endpoints listed. */
export const SHOWN_ENDPOINTS = 8;

/** The endpoints that most need attention, and how many do in total. */
export const worstEndpoints = queryOptions({
  queryKey: ['endpoints', 'worst'],
  queryFn: () =>
    answerOf(
      api.GET('/api/v4/hooks/outgoing/endpoints', { params: { query: { per_page: SHOWN_ENDPOINTS } } }),
    ),
  refetchInterval: 10_000,
});

const MAX_MISSED = 100;
/** A delivery is older than its first failure. */
const BEFORE_FAILURE_MS = 60_000;

/** What an endpoint has missed since it began to fail, as a filter of deliveries. */
export const missedAt = ({ endpoint, since }: Schemas['EndpointDto']) => ({
  endpoint,
  status: 'failed,retrying',
  since: Math.max(0, since - BEFORE_FAILURE_MS),
});

/** Number of these deliveries, such as `12` or `100+`. */
export const missedCount = (filter: ReturnType<typeof missedAt>) =>
  queryOptions({
    queryKey: ['deliveries', 'missed', filter],
    queryFn: async () => {
      const query = { ...filter, per_page: MAX_MISSED };
      const { deliveries, next_cursor: next } = await answerOf(
        api.GET('/api/v4/hooks/outgoing/deliveries', { params: { query: query as never } }),
      );
      return `${deliveries.length}${next === '' ? '' : '+'}`;
    },
    refetchInterval: REFRESH_MS,
  });

/** Sends these deliveries again. Returns their number. */
export async function retryMissed(filter: ReturnType<typeof missedAt>): Promise<number> {
  const answer = await answerOf(
    api.POST('/api/v4/hooks/outgoing/endpoints/deliveries/retry', { body: { filter, dry_run: false } }),
  );
  return 'total' in answer ? answer.total : 0;
}
