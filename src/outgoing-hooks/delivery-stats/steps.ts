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
