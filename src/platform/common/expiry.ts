/** The last day that JavaScript can show. */
const MAX_TIME = 8.64e15;

/** Whether a time, in milliseconds since the epoch, can be set as an expiry: 0 (never), or in the future. */
export function isExpiry(expiresAt: number, now: number): boolean {
  return expiresAt === 0 || (expiresAt > now && expiresAt <= MAX_TIME);
}

/** What expires after `after`, until `until`, and whose owner got at most `sent` reminders. */
export type ExpiryRange = Readonly<Record<'after' | 'until' | 'sent', number>>;
