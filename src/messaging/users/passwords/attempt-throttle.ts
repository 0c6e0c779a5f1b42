import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Allowance, type SharedCount, SharedCounts } from '../../../platform/scaling/shared-counts.js';
import { BoundedLimit } from '../../../platform/common/bounded-limit.js';
import {
  addressBusy,
  EmailExists,
  tooManyForName,
  tooManyFromAddress,
  tooManySignUps,
  tooManyTakenNames,
  tooManyWrongPasswords,
  UsernameExists,
} from '../users.errors.js';
import { Clock } from '../../../platform/common/clock.js';
import type { HashLane } from './password-hasher.js';

const MINUTE_MS = 60_000;

/**
 * Limits for wrong passwords and sign-ups. Many users can share an address, so limits per address alone are
 * generous. The limits are fields of a provider so that tests can lower them.
 */
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

/** A password attempt. */
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

/** The result of an attempt. */
interface Judgement {
  readonly isRight: boolean;
  /** Wrong passwords for the typed name from the address since the last correct one, including this one. */
  readonly failures: number;
}

/** The counter keys of an attempt: by name, and by name and address (`own`). */
interface Keys {
  readonly own: string;
  readonly name: string;
}

/**
 * Slows down password guessing and sign-up floods (docs/contract/messaging.md#login). No one can lock out
 * another user: wrong passwords count per name and address, and an address that a user has signed in from
 * before is blocked only by its own wrong passwords for that name.
 */
@Injectable()
export class AttemptThrottle {
  private readonly queue = new AttemptQueue();
  private readonly byNameAndAddress: SharedCount;
  private readonly byAddress: SharedCount;
  private readonly byName: SharedCount;
  private readonly signUps: SharedCount;
  private readonly takenNames: SharedCount;

  constructor(
    private readonly limits: AttemptLimits,
    private readonly clock: Clock,
    counts: SharedCounts,
  ) {
    this.byNameAndAddress = counts.open('wrong passwords by name and address');
    this.byAddress = counts.open('wrong passwords by address');
    this.byName = counts.open('wrong passwords by name');
    this.signUps = counts.open('sign-ups');
    this.takenNames = counts.open('taken names');
  }

  /**
   * Runs `verify` after earlier attempts from the same address. Signed-in users and known addresses have a
   * separate lane, because unknown clients can fill theirs. Throws `tooManyWrongPasswords`, `addressBusy`,
   * `tooManyFromAddress`, `tooManyForName`. An account that reaches a limit through several names rejects
   * every password as wrong: any other response would reveal that the names belong to one account.
   */
  async run(attempt: Attempt, verify: (lane: HashLane) => Promise<boolean>): Promise<Judgement> {
    const { address, isSignedIn, isKnown } = attempt;
    if (address === '') return { isRight: await verify('local'), failures: 0 };
    const lane = isSignedIn || isKnown ? 'known' : 'login';
    return this.queue.run(`${isSignedIn ? 'check' : lane} ${address}`, async () => {
      const typed = keysOf(attempt, 'name', attempt.name);
      const account = keysOf(attempt, 'account', attempt.userId ?? attempt.name);
      const refusal = this.refusalOfName(typed, isKnown) ?? this.refusalOfAddress(attempt);
      if (refusal) throw refusal;
      const isStopped = this.refusalOfName(account, isKnown) !== undefined;
      const isRight = (await verify(lane)) && !isStopped;
      if (!isRight) return { isRight, failures: this.noteWrong(attempt, typed, account) };
      for (const { own } of [typed, account]) this.byNameAndAddress.clear(own);
      return { isRight, failures: 0 };
    });
  }

  /** Runs a sign-up after earlier ones from the same address. Throws `tooManySignUps`, `addressBusy`. */
  signUp<T>(address: string, create: () => Promise<T>): Promise<T> {
    return this.queue.run(`sign-up ${address}`, () => {
      const { signUpsPerAddress } = this.limits;
      const now = this.clock.now();
      const waitMs = this.signUps.waitMs(address, signUpsPerAddress, now);
      if (waitMs > 0) throw tooManySignUps(signUpsPerAddress, waitMs);
      this.signUps.note(address, signUpsPerAddress, now);
      return create();
    });
  }

  /**
   * Runs a change of name or e-mail address after earlier ones of the same user. A refusal because the value
   * is taken reveals an account, so it counts. Throws `tooManyTakenNames`, `addressBusy`.
   */
  rename<T>(userId: string, change: () => Promise<T>): Promise<T> {
    return this.queue.run(`rename ${userId}`, async () => {
      const { takenNames } = this.limits;
      const waitMs = this.takenNames.waitMs(userId, takenNames, this.clock.now());
      if (waitMs > 0) throw tooManyTakenNames(takenNames, waitMs);
      try {
        return await change();
      } catch (error) {
        if (error instanceof UsernameExists || error instanceof EmailExists)
          this.takenNames.note(userId, takenNames, this.clock.now());
        throw error;
      }
    });
  }

  private refusalOfName({ own, name }: Keys, isKnown: boolean): Error | undefined {
    const { perNameAndAddress, perName } = this.limits;
    const now = this.clock.now();
    const ownWaitMs = this.byNameAndAddress.waitMs(own, perNameAndAddress, now);
    if (ownWaitMs > 0) return tooManyWrongPasswords(perNameAndAddress, ownWaitMs);
    const nameWaitMs = isKnown ? 0 : this.byName.waitMs(name, perName, now);
    return nameWaitMs > 0 ? tooManyForName(perName, nameWaitMs) : undefined;
  }

  private refusalOfAddress({ address, isKnown }: Attempt): Error | undefined {
    const { perAddress } = this.limits;
    const waitMs = isKnown ? 0 : this.byAddress.waitMs(address, perAddress, this.clock.now());
    return waitMs > 0 ? tooManyFromAddress(perAddress, waitMs) : undefined;
  }

  private noteWrong({ address, isKnown }: Attempt, typed: Keys, account: Keys): number {
    this.byAddress.note(address, this.limits.perAddress, this.clock.now());
    this.noteWrongFor(account, isKnown);
    return this.noteWrongFor(typed, isKnown);
  }

  private noteWrongFor({ own, name }: Keys, isKnown: boolean): number {
    const { perNameAndAddress, perName } = this.limits;
    const now = this.clock.now();
    if (!isKnown) this.byName.note(name, perName, now);
    return this.byNameAndAddress.note(own, perNameAndAddress, now);
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
