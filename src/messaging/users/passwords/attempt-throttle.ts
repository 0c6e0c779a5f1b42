import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import {
  TooManyForName,
  TooManyFromAddress,
  TooManySignUps,
  TooManyWrongPasswords,
} from '../users.errors.js';
import { AttemptLimits } from './attempt-limits.js';
import { AttemptQueue } from './attempt-queue.js';
import { EventCounts } from './event-counts.js';
import type { HashLane } from './password-hasher.js';

/** Somebody tries to prove who they are. */
export interface Attempt {
  /** The client block of the caller; empty in local mode, which has no limits. */
  readonly address: string;
  /** What counts as the name: as it was typed, so that nothing here depends on whether the account exists. */
  readonly name: string;
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
  /** Wrong passwords for the name from the address since the last right one, including this one. */
  readonly failures: number;
}

/** By what an attempt is counted. */
interface Keys extends Pick<Attempt, 'address' | 'isKnown'> {
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
  private readonly byNameAndAddress = new EventCounts();
  private readonly byAddress = new EventCounts();
  private readonly byName = new EventCounts();
  private readonly signUps = new EventCounts();

  constructor(
    private readonly limits: AttemptLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `verify` after earlier attempts from the same address, in the lane of people who are known if they are or if the
   * user has signed in from there before: strangers can fill theirs. Throws TooManyWrongPasswords, TooManyFromAddress,
   * TooManyForName, AddressBusy.
   */
  async run(attempt: Attempt, verify: (lane: HashLane) => Promise<boolean>): Promise<Judgement> {
    const { address, isSignedIn, isKnown } = attempt;
    if (address === '') return { isRight: await verify('local'), failures: 0 };
    const lane = isSignedIn || isKnown ? 'known' : 'login';
    return this.queue.run(`${isSignedIn ? 'check' : lane} ${address}`, async () => {
      const name = keyOf(attempt);
      const own = `${name} ${attempt.since} ${address}`;
      this.requireAllowed({ own, name, address, isKnown });
      const isRight = await verify(lane);
      if (!isRight) return { isRight, failures: this.noteWrong({ own, name, address, isKnown }) };
      this.byNameAndAddress.clear(own);
      return { isRight, failures: 0 };
    });
  }

  /** Runs a sign-up after earlier ones from the same address. Throws TooManySignUps, AddressBusy. */
  signUp<T>(address: string, create: () => Promise<T>): Promise<T> {
    return this.queue.run(`sign-up ${address}`, () => {
      const { signUpsPerAddress } = this.limits;
      const now = this.clock.now();
      const waitMs = this.signUps.waitMs(address, signUpsPerAddress, now);
      if (waitMs > 0) throw new TooManySignUps(signUpsPerAddress, waitMs);
      this.signUps.note(address, signUpsPerAddress, now);
      return create();
    });
  }

  private requireAllowed({ own, name, address, isKnown }: Keys): void {
    const { perNameAndAddress, perAddress, perName } = this.limits;
    const now = this.clock.now();
    const ownWaitMs = this.byNameAndAddress.waitMs(own, perNameAndAddress, now);
    if (ownWaitMs > 0) throw new TooManyWrongPasswords(perNameAndAddress, ownWaitMs);
    if (isKnown) return;
    const addressWaitMs = this.byAddress.waitMs(address, perAddress, now);
    if (addressWaitMs > 0) throw new TooManyFromAddress(perAddress, addressWaitMs);
    const nameWaitMs = this.byName.waitMs(name, perName, now);
    if (nameWaitMs > 0) throw new TooManyForName(perName, nameWaitMs);
  }

  private noteWrong({ own, name, address, isKnown }: Keys): number {
    const { perNameAndAddress, perAddress, perName } = this.limits;
    const now = this.clock.now();
    this.byAddress.note(address, perAddress, now);
    if (!isKnown) this.byName.note(name, perName, now);
    return this.byNameAndAddress.note(own, perNameAndAddress, now);
  }
}

/** Hashed to limit its length. What is counted for people who are signed in is not what strangers can count up. */
function keyOf({ name, isSignedIn }: Attempt): string {
  const kind = isSignedIn ? 'check' : 'login';
  return createHash('sha256').update(`${kind} ${name.trim().toLowerCase()}`).digest('base64');
}
