const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * When to try again after the attempt at place `step` of the schedule failed, in milliseconds from now; undefined when
 * the schedule is at its end. A receiver's `Retry-After` is a least wait (RFC 9110 section 10.2.3), heeded up to 24
 * hours: it never makes a wait shorter, as the schedule would then be over before the receiver is well. The schedule's
 * own delays vary by 20 % so that what failed together does not come back together.
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

/** A `Retry-After` header (RFC 9110 section 10.2.3: seconds or a date) in milliseconds from `now`. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,20}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
