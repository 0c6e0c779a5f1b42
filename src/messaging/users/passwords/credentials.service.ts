import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { isId } from '../../../platform/common/ids.js';
import type { User } from '../user.entity.js';
import { botLoginForbidden } from '../bots/bots.errors.js';
import { UserCache } from '../user-cache.js';
import { UsersRepository } from '../users.repository.js';
import { type Attempt, AttemptThrottle } from './attempt-throttle.js';
import { failureDelayMs } from './failure-delay.js';
import { isGivenHash } from './given-hash.js';
import { KnownAddresses } from './known-addresses.js';
import { PasswordHasher } from './password-hasher.js';

const MAX_LOGIN_ID_LENGTH = 128;
const MAX_DELAYED = 500;

/** Who somebody claims to be at a login, with a password. */
export interface Claim {
  /** Username or e-mail address, in any case. */
  readonly loginId: string;
  /** The id of the account; instead of the login id unless it is empty. */
  readonly id: string;
  readonly password: string;
}

/** Checks passwords. What a wrong one costs, and what it says, does not depend on whether the account exists. */
@Injectable()
export class CredentialsService {
  private delayed = 0;

  constructor(
    private readonly repository: UsersRepository,
    private readonly cache: UserCache,
    private readonly hasher: PasswordHasher,
    private readonly throttle: AttemptThrottle,
    private readonly known: KnownAddresses,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The account that somebody signs in to, deactivated ones included; null if there is none or the password is wrong.
   * `address` is the caller's client block, empty in local mode. Throws what AttemptThrottle throws,
   * `passwordQueueFull`, and `botLoginForbidden`. Do not call it inside a unit of work.
   */
  async findProven({ loginId, id, password }: Claim, address: string): Promise<User | null> {
    const user = await (id === ''
      ? this.findByLoginId(loginId)
      : isId(id)
        ? this.repository.findById(id)
        : null);
    const attempt = { ...this.accountOf(user, address), address, name: id || loginId, isSignedIn: false };
    const { isRight, failures } = await this.throttle.run(attempt, (lane) =>
      this.hasher.verify(hashOf(user), password, lane),
    );
    if (isRight) return user;
    // Beside the delay, so that the time does not tell whether there was anything to write.
    await Promise.all([this.recordFailure(user), this.delay(failures)]);
    if (user?.isBot) throw botLoginForbidden();
    return null;
  }

  /** Whether it is the password of somebody who is signed in. Throws as findProven. Do not call it inside a unit of work. */
  async isOwn(userId: string, password: string, address: string): Promise<boolean> {
    const user = await this.repository.findById(userId);
    const attempt = { ...this.accountOf(user, address), address, name: userId, isSignedIn: true };
    const { isRight } = await this.throttle.run(attempt, (lane) =>
      this.hasher.verify(hashOf(user), password, lane),
    );
    if (!isRight) await this.recordFailure(user);
    return isRight;
  }

  /** The hash to store at a sign-in with the right password: a new one instead of one that was given as a hash. */
  async hashToStore(user: User, password: string, address: string): Promise<string> {
    if (!isGivenHash(user.passwordHash)) return user.passwordHash;
    return this.hasher.hash(password, address === '' ? 'local' : 'known');
  }

  /**
   * Stores the address and the hash. False if the account was deactivated or its password changed since it was read: the
   * login must be refused. Call it inside a unit of work.
   */
  async recordLogin(user: User, now: number, address: string, passwordHash: string): Promise<boolean> {
    this.cache.forget(user.id);
    // Others may have signed in to the account since it was read.
    const latest = await this.repository.findByIdForUpdate(user.id);
    if (!latest || !hasSamePassword(latest, user)) return false;
    return this.repository.recordLogin(latest, now, {
      passwordHash,
      knownAddresses: this.known.including(latest, address),
    });
  }

  private async findByLoginId(loginId: string): Promise<User | null> {
    const key = loginId.trim().toLowerCase();
    if (key.length > MAX_LOGIN_ID_LENGTH) return null;
    return key.includes('@') ? this.repository.findByEmail(key) : this.repository.findByUsername(key);
  }

  private async recordFailure(user: User | null): Promise<void> {
    if (!user) return;
    await this.unitOfWork.run(async () => {
      await this.repository.recordFailure(user.id, this.clock.now());
      this.cache.forget(user.id);
    });
  }

  private accountOf(user: User | null, address: string): Pick<Attempt, 'userId' | 'since' | 'isKnown'> {
    return {
      userId: user?.id,
      since: user?.lastPasswordUpdate ?? 0,
      isKnown: user !== null && this.known.has(user, address),
    };
  }

  private async delay(failures: number): Promise<void> {
    if (this.delayed >= MAX_DELAYED) return;
    this.delayed++;
    await sleep(failureDelayMs(failures), undefined, { ref: false });
    this.delayed--;
  }
}

/** Bots and accounts of other servers have no password here. */
function hashOf(user: User | null): string | undefined {
  return user?.remoteId === '' && !user.isBot ? user.passwordHash : undefined;
}

/** Whether the password is still the one that was read; another sign-in may have stored a new hash of it. */
function hasSamePassword(latest: User, read: User): boolean {
  if (latest.passwordHash === read.passwordHash) return true;
  return (
    isGivenHash(read.passwordHash) && !latest.isBot && latest.lastPasswordUpdate === read.lastPasswordUpdate
  );
}
