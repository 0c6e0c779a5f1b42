import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Allowance, type SharedCount, SharedCounts } from '../../../platform/scaling/shared-counts.js';
import { BoundedLimit } from '../../../platform/common/bounded-limit.js';
import { addressBusy, EmailExists, tooMany, UsernameExists } from '../users.errors.js';
import { Clock } from '../../../platform/common/clock.js';
import type { HashLane } from './password-hasher.js';

const MINUTE_MS = 60_000;

/** Generous, because many users can share an address. Fields of a provider, so that tests can lower them. */
@Injectable()
export class AttemptLimits {
  /** Wrong passwords for one name from one address. */
  perNameAndAddress: Allowance = { max: 10, windowMs: 10 * MINUTE_MS };
  /** Wrong passwords from one address, for all names. */
  perAddress: Allowance = { max: 100, windowMs: 5 * MINUTE_MS };
  /** Wrong passwords for one name, from all addresses that its user has not signed in from before. */
  perName: Allowance = { max: 100, windowMs: 60 * MINUTE_MS };
  /** Sign-ups from one address, successful or not. */
  signUpsPerAddress: Allowance = { max: 500, windowMs: 60 * MINUTE_MS };
  /** Requests of one user for names and e-mail addresses that are taken. */
  takenNames: Allowance = { max: 10, windowMs: 60 * MINUTE_MS };
}

const MAX_WAITING = 100;

/** Runs attempts with the same key one at a time, so that each is counted before the next is checked. */
class AttemptQueue {
  private readonly limits = new Map<string, BoundedLimit>();

  /** Throws `addressBusy` if too many attempts with this key are waiting. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(key) ?? new BoundedLimit(1, MAX_WAITING, () => addressBusy(MAX_WAITING));
    this.limits.set(key, limit);
    try {
      return await limit.run(work);
    } finally {
      if (limit.size === 0) this.limits.delete(key);
    }
  }
}

export interface Attempt {
  /** The client block of the caller; empty in local mode, which has no limits. */
  readonly address: string;
  /** The name as typed; responses about it do not depend on whether the account exists. */
  readonly name: string;
  /** The account with that name, if it exists. Attempts by its other names count silently. */
  readonly userId: string | undefined;
  /** Whether that user has signed in from the address before. */
  readonly isKnown: boolean;
  /** When its password was set, or 0; a new password resets the count of wrong ones. */
  readonly since: number;
  /** Attempts of users who are already signed in have a separate queue. */
  readonly isSignedIn: boolean;
}

interface PasswordCheck {
  readonly isRight: boolean;
  /** Wrong passwords for the typed name from the address since the last correct one, including this one. */
  readonly failures: number;
}

/** The counter keys of an attempt: by name, and by name and address (`own`). */
interface Keys {
  readonly own: string;
  readonly name: string;
}

type Counted = keyof AttemptLimits;

/**
 * Slows down password guessing and sign-up floods (docs/contract/messaging.md#login). No one can lock out
 * another user: wrong passwords count per name and address, and an address that a user has signed in from
 * before is blocked only by its own wrong passwords for that name. Throws `tooMany` and `addressBusy`.
 */
@Injectable()
export class AttemptThrottle {
  private readonly queue = new AttemptQueue();
  private readonly counts: Readonly<Record<Counted, SharedCount>>;

  constructor(
    private readonly limits: AttemptLimits,
    private readonly clock: Clock,
    counts: SharedCounts,
  ) {
    this.counts = {
      perNameAndAddress: counts.open('wrong passwords by name and address'),
      perAddress: counts.open('wrong passwords by address'),
      perName: counts.open('wrong passwords by name'),
      signUpsPerAddress: counts.open('sign-ups'),
      takenNames: counts.open('taken names'),
    };
  }

  /**
   * Runs `verify` after earlier attempts from the same address. Signed-in users and known addresses have a
   * separate lane, because unknown clients can fill theirs. An account that reaches a limit through several names
   * rejects every password as wrong: any other response would reveal that the names belong to one account.
   */
  async run(attempt: Attempt, verify: (lane: HashLane) => Promise<boolean>): Promise<PasswordCheck> {
    const { address, isSignedIn, isKnown } = attempt;
    if (address === '') return { isRight: await verify('local'), failures: 0 };
    const lane = isSignedIn || isKnown ? 'known' : 'login';
    return this.queue.run(`${isSignedIn ? 'check' : lane} ${address}`, async () => {
      const typed = keysOf(attempt, 'name', attempt.name);
      const account = keysOf(attempt, 'account', attempt.userId ?? attempt.name);
      const refusal =
        this.refusalOf(typed, isKnown) ?? (isKnown ? undefined : this.refusal('perAddress', address));
      if (refusal) throw refusal;
      const isStopped = this.refusalOf(account, isKnown) !== undefined;
      const isRight = (await verify(lane)) && !isStopped;
      if (isRight) for (const { own } of [typed, account]) this.counts.perNameAndAddress.clear(own);
      return { isRight, failures: isRight ? 0 : this.noteWrong(attempt, [account, typed]) };
    });
  }

  /** Runs a sign-up after earlier ones from the same address. */
  signUp<T>(address: string, create: () => Promise<T>): Promise<T> {
    return this.queue.run(`sign-up ${address}`, () => {
      this.requireFewer('signUpsPerAddress', address);
      this.note('signUpsPerAddress', address);
      return create();
    });
  }

  /** Runs a change of name or address. A refusal because the value is taken reveals an account, so it counts. */
  rename<T>(userId: string, change: () => Promise<T>): Promise<T> {
    return this.queue.run(`rename ${userId}`, async () => {
      this.requireFewer('takenNames', userId);
      try {
        return await change();
      } catch (error) {
        if (error instanceof UsernameExists || error instanceof EmailExists) this.note('takenNames', userId);
        throw error;
      }
    });
  }

  private refusalOf({ own, name }: Keys, isKnown: boolean): Error | undefined {
    return this.refusal('perNameAndAddress', own) ?? (isKnown ? undefined : this.refusal('perName', name));
  }

  /** Returns the failures for the typed name from the address. */
  private noteWrong({ address, isKnown }: Attempt, keys: readonly Keys[]): number {
    this.note('perAddress', address);
    if (!isKnown) for (const { name } of keys) this.note('perName', name);
    return keys.map(({ own }) => this.note('perNameAndAddress', own)).at(-1) ?? 0;
  }

  private refusal(counted: Counted, key: string): Error | undefined {
    const limit = this.limits[counted];
    const waitMs = this.counts[counted].waitMs(key, limit, this.clock.now());
    return waitMs > 0 ? tooMany(counted, limit, waitMs) : undefined;
  }

  private requireFewer(counted: Counted, key: string): void {
    const refusal = this.refusal(counted, key);
    if (refusal) throw refusal;
  }

  private note(counted: Counted, key: string): number {
    return this.counts[counted].note(key, this.limits[counted], this.clock.now());
  }
}

/** Names are hashed to limit their length. Signed-in users have separate counters from unknown clients. */
function keysOf({ isSignedIn, since, address }: Attempt, by: 'name' | 'account', value: string): Keys {
  const kind = isSignedIn ? 'check' : 'login';
  const text = `${kind} ${by} ${value.trim().toLowerCase()}`;
  const name = createHash('sha256').update(text).digest('base64');
  return { name, own: `${name} ${since} ${address}` };
}

const FIRST_MS = 20;
const MAX_MS = 1_000;

/** The response delay after this many consecutive failures: doubles with each, up to a maximum. */
export function failureDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), MAX_MS);
}
