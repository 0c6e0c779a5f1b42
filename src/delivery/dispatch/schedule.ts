const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * The delay after attempt `step` of the schedule has failed; undefined at the end of the schedule. A
 * receiver's `Retry-After` is a minimum (RFC 9110 section 10.2.3), up to 24 hours: it never shortens a delay,
 * since the schedule could then end before the receiver recovers. Delays vary by 20 % so that deliveries that
 * failed together are not retried together.
 */
export function nextDelayMs(
  scheduleMs: readonly number[],
  step: number,
  retryAfterMs = 0,
  random: () => number = Math.random,
): number | undefined {
  const delayMs = scheduleMs[step + 1];
  if (delayMs === undefined) return undefined;
  const variedMs = Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
  return Math.max(variedMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** Parses `Retry-After` (RFC 9110 section 10.2.3: seconds or a date) as a delay; undefined if malformed. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,20}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
