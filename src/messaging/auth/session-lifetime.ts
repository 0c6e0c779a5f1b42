const HOUR_MS = 3_600_000;

/** How long an unused session lasts (docs/contract/messaging.md#sessions). */
export const SESSION_LENGTH_MS = 720 * HOUR_MS;
/** A session in use is extended after this time: one percent of its length, between five minutes and a day. */
const EXTENSION_AFTER_MS = Math.max(5 * 60_000, Math.min(SESSION_LENGTH_MS / 100, 24 * HOUR_MS));
/** How often the activity of a session is stored. */
export const ACTIVITY_INTERVAL_MS = 5 * 60_000;
/** The most sessions of a user; beyond that, the least recently used ones end. */
export const MAX_SESSIONS_PER_USER = 500;

/** The expiry of a session that is used at `now`, extended if due. */
export function extendedExpiry(expiresAt: number, now: number): number {
  const passed = SESSION_LENGTH_MS - (expiresAt - now);
  return expiresAt > 0 && passed >= EXTENSION_AFTER_MS ? now + SESSION_LENGTH_MS : expiresAt;
}
