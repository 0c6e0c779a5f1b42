const DAY_MS = 86_400_000;

/** The lengths of spans, and how long each is kept: as long as the longest range of it, and one step more. */
export const STEPS = [
  { rows: 'statistics of deliveries by five minutes', seconds: 300, keptMs: 2 * DAY_MS },
  { rows: 'statistics of deliveries by the hour', seconds: 3_600, keptMs: 31 * DAY_MS },
] as const;

/** The subject that stands for all webhooks. */
export const ALL = '';

/** The ranges that can be asked for. Points are as long as one stored span, or several of them. */
export const RANGES = {
  '1h': { storedSeconds: 300, stepSeconds: 300, points: 12 },
  '24h': { storedSeconds: 300, stepSeconds: 300, points: 288 },
  '7d': { storedSeconds: 3_600, stepSeconds: 3_600, points: 168 },
  '30d': { storedSeconds: 3_600, stepSeconds: 10_800, points: 240 },
} as const;
export type StatsRange = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as StatsRange[];
/** The most points of a range. */
export const MAX_POINTS = Math.max(...RANGE_NAMES.map((range) => RANGES[range].points));

/** The ranges of the small charts in lists. Points are hours or several of them, so that many webhooks can be asked for at once. */
export const OUTCOME_RANGES = {
  '24h': { storedSeconds: 3_600, stepSeconds: 3_600, points: 24 },
  '7d': { storedSeconds: 3_600, stepSeconds: 21_600, points: 28 },
} as const;
export type OutcomeRange = keyof typeof OUTCOME_RANGES;
export const OUTCOME_RANGE_NAMES = Object.keys(OUTCOME_RANGES) as OutcomeRange[];
/** The most points of such a chart. */
export const MAX_OUTCOME_POINTS = Math.max(
  ...OUTCOME_RANGE_NAMES.map((range) => OUTCOME_RANGES[range].points),
);

/** From when, and before when, the points of a range are: the last one has begun, and is not over yet. */
export function spanUpTo(
  now: number,
  { stepSeconds, points }: { readonly stepSeconds: number; readonly points: number },
): { readonly from: number; readonly before: number } {
  const stepMs = stepSeconds * 1_000;
  const before = (Math.floor(now / stepMs) + 1) * stepMs;
  return { from: before - points * stepMs, before };
}
