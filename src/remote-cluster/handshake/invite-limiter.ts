import { TooManyInvites } from '../remote-clusters.errors.js';

const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 10;
const MAX_CALLERS = 1_000;

/** Limits attempts to open invites: each costs up to two key derivations and may be a guess at the password. */
export class InviteLimiter {
  private readonly attempts = new Map<string, number[]>();

  /** Throws TooManyInvites for the eleventh attempt of a caller within a minute. */
  take(caller: string, now: number): void {
    const recent = (this.attempts.get(caller) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest = now] = recent;
    if (recent.length >= MAX_IN_WINDOW)
      throw new TooManyInvites(Math.ceil((oldest + WINDOW_MS - now) / 1000));
    this.attempts.delete(caller);
    this.attempts.set(caller, [...recent, now]);
    const [first] = this.attempts.keys();
    if (this.attempts.size > MAX_CALLERS && first !== undefined) this.attempts.delete(first);
  }
}
