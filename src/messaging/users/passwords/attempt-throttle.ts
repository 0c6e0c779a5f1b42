import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import type { SharedCount } from '../../../platform/scaling/shared-count.js';
import { SharedCounts } from '../../../platform/scaling/shared-counts.js';
import {
  EmailExists,
  tooManyForName,
  tooManyFromAddress,
  tooManySignUps,
  tooManyTakenNames,
  tooManyWrongPasswords,
  UsernameExists,
} from '../users.errors.js';
import { AttemptLimits } from './attempt-limits.js';
import { AttemptQueue } from './attempt-queue.js';
import type { HashLane } from './password-hasher.js';

/** Somebody tries to prove who they are. */
export interface Attempt {
  /** The client block of the caller; empty in local mode, which has no limits. */
  readonly address: string;
  /** The name as it was typed: what is said of it does not depend on whether the account exists. */
  readonly name: string;
  /** The account of that name, if there is one. What is tried by its other names counts silently. */
  readonly userId: string | undefined;
  /** Whether the user of that name has signed in from the address before. */
  readonly isKnown: boolean;
  /** When its password was set, else 0: with a new one, the count of wrong ones begins again. */
  readonly since: number;
  /** Attempts of people who are signed in already have a queue of their own. */
  readonly isSignedIn: boolean;
}

/** The result of an attempt. */
export interface Judgement {
  readonly isRight: boolean;
  /** Wrong passwords for the typed name from the address since the last right one, including this one. */
  readonly failures: number;
}

/** By what an attempt is counted: for a name, and for it and an address. */
interface Keys {
  readonly own: string;
  readonly name: string;
}

/**
 * Slows down the guessing of passwords and floods of sign-ups (docs/contract/messaging.md#login). Nobody can lock out
 * somebody else: wrong passwords count for name and address together, and an address from which a user has signed in
 * before is only ever stopped by its own wrong passwords for that name.
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
   * Runs `verify` after earlier attempts from the same address, in the lane of people who are known if they are or if the
   * user has signed in from there before: strangers can fill theirs. Throws `tooManyWrongPasswords`, `tooManyFromAddress`,
   * `tooManyForName`, `addressBusy`. An account that has reached a limit by several of its names takes no password, and says
   * that it is wrong: anything else would tell that these names are one account.
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
   * Runs a change of a name or an address after earlier ones of the same person. What is refused because somebody has it
   * tells of that account, and counts. Throws `tooManyTakenNames`, `addressBusy`.
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

/** Hashed to limit its length. What is counted for people who are signed in is not what strangers can count up. */
function keysOf({ isSignedIn, since, address }: Attempt, by: 'name' | 'account', value: string): Keys {
  const kind = isSignedIn ? 'check' : 'login';
  const text = `${kind} ${by} ${value.trim().toLowerCase()}`;
  const name = createHash('sha256').update(text).digest('base64');
  return { name, own: `${name} ${since} ${address}` };
}
