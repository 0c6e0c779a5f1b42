const HOUR_MS = 3_600_000;

/** How long a session lives without being used (docs/contract/messaging.md#sessions). */
export const SESSION_LENGTH_MS = 720 * HOUR_MS;
/** A session in use is prolonged once so much of its life has passed: one percent, within five minutes and a day. */
const EXTENSION_AFTER_MS = Math.max(5 * 60_000, Math.min(SESSION_LENGTH_MS / 100, 24 * HOUR_MS));
/** How often the use of a session is written down. */
export const ACTIVITY_INTERVAL_MS = 5 * 60_000;
/** Beyond so many sessions of one user, those not used for longest end. */
export const MAX_SESSIONS_PER_USER = 500;

/** When a session that is used now ends: later than so far if it is time to prolong it. */
export function extendedExpiry(expiresAt: number, now: number): number {
  const passed = SESSION_LENGTH_MS - (expiresAt - now);
  return expiresAt > 0 && passed >= EXTENSION_AFTER_MS ? now + SESSION_LENGTH_MS : expiresAt;
}
