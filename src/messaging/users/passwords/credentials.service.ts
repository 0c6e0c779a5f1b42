import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { isId } from '../../../platform/common/ids.js';
import type { User } from '../user.entity.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { botLoginForbidden } from '../users.errors.js';
import { UsersRepository } from '../users.repository.js';
import { AttemptThrottle, failureDelayMs } from './attempt-throttle.js';
import { isBcryptHash, PasswordHasher } from './password-hasher.js';

const MAX_LOGIN_ID_LENGTH = 128;
const MAX_DELAYED = 500;

const MAX_KNOWN_ADDRESSES = 8;
const HASH_LENGTH = 16; // 96 bits

type Owner = Pick<User, 'id' | 'knownAddresses'>;

/** The latest addresses that users signed in from, stored as hashes that are useless without SECRET_KEY. */
@Injectable()
export class KnownAddresses {
  constructor(private readonly secrets: SecretBox) {}

  has(user: Owner, address: string): boolean {
    return listOf(user).includes(this.hashOf(user, address));
  }

  /** The hashes to store after a login. Local mode, where the address is empty, adds none. */
  including(user: Owner, address: string): string {
    if (address === '') return user.knownAddresses;
    const hash = this.hashOf(user, address);
    const others = listOf(user).filter((other) => other !== hash);
    return [...others, hash].slice(-MAX_KNOWN_ADDRESSES).join(' ');
  }

  private hashOf({ id }: Owner, address: string): string {
    const place = { table: 'users', column: 'known_addresses', id };
    return this.secrets.hash(address, place).slice(0, HASH_LENGTH);
  }
}

function listOf({ knownAddresses }: Owner): string[] {
  return knownAddresses.split(' ').filter((hash) => hash !== '');
}

export interface Claim {
  readonly loginId: string;
  /** The account id; replaces the login id unless empty. */
  readonly id: string;
  readonly password: string;
}

/** Checks passwords. Timing and response of a failure do not depend on whether the account exists. */
@Injectable()
export class CredentialsService {
  private delayed = 0;

  constructor(
    private readonly repository: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly throttle: AttemptThrottle,
    private readonly known: KnownAddresses,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The account to sign in to, even if deactivated; null if it does not exist or the password is wrong.
   * `address` is the caller's client block, empty in local mode. Throws the errors of AttemptThrottle,
   * `passwordQueueFull`, and `botLoginForbidden`. Do not call it inside a unit of work.
   */
  async findProven({ loginId, id, password }: Claim, address: string): Promise<User | null> {
    const user = await (id === ''
      ? this.findByLoginId(loginId)
      : isId(id)
        ? this.repository.findFresh(id)
        : null);
    const { isRight, failures } = await this.check(user, password, address, id || loginId);
    if (isRight) return user;
    // Runs in parallel with the delay, so that timing does not reveal whether anything was written.
    await Promise.all([this.recordFailure(user), this.delay(failures)]);
    if (user?.isBot) throw botLoginForbidden();
    return null;
  }

  /** Checks a signed-in user's password. Throws like findProven. Do not call it inside a unit of work. */
  async isOwn(userId: string, password: string, address: string): Promise<boolean> {
    const user = await this.repository.findFresh(userId);
    const { isRight } = await this.check(user, password, address, userId, true);
    if (!isRight) await this.recordFailure(user);
    return isRight;
  }

  /** The hash to store after a successful sign-in: replaces an imported hash with a new one. */
  async hashToStore(user: User, password: string, address: string): Promise<string> {
    if (!isBcryptHash(user.passwordHash)) return user.passwordHash;
    return this.hasher.hash(password, address === '' ? 'local' : 'known');
  }

  /** Returns false if the account was deactivated or got a new password meanwhile: refuse the login. */
  async recordLogin(user: User, now: number, address: string, passwordHash: string): Promise<boolean> {
    // Other logins may have changed the account since it was read.
    const latest = await this.repository.findForUpdate(user.id);
    if (!latest || !hasSamePassword(latest, user)) return false;
    return this.repository.recordLogin(latest, now, {
      passwordHash,
      knownAddresses: this.known.including(latest, address),
    });
  }

  private async findByLoginId(loginId: string): Promise<User | null> {
    const key = loginId.trim().toLowerCase();
    if (key.length > MAX_LOGIN_ID_LENGTH) return null;
    return key.includes('@') ? this.repository.findByEmail(key) : this.repository.findFreshByUsername(key);
  }

  private async recordFailure(user: User | null): Promise<void> {
    if (!user) return;
    await this.unitOfWork.run(() => this.repository.recordFailure(user.id, this.clock.now()));
  }

  private check(user: User | null, password: string, address: string, name: string, isSignedIn = false) {
    const isKnown = user !== null && this.known.has(user, address);
    const attempt = {
      address,
      name,
      userId: user?.id,
      isKnown,
      isSignedIn,
      since: user?.lastPasswordUpdate ?? 0,
    };
    return this.throttle.run(attempt, (lane) => this.hasher.verify(hashOf(user), password, lane));
  }

  private async delay(failures: number): Promise<void> {
    if (this.delayed >= MAX_DELAYED) return;
    this.delayed++;
    await sleep(failureDelayMs(failures), undefined, { ref: false });
    this.delayed--;
  }
}

/** Bots and remote accounts have no password here. */
function hashOf(user: User | null): string | undefined {
  return user?.remoteId === '' && !user.isBot ? user.passwordHash : undefined;
}

/** Whether the password is unchanged; another sign-in may have stored a new hash of the same password. */
function hasSamePassword(latest: User, read: User): boolean {
  if (latest.passwordHash === read.passwordHash) return true;
  return (
    isBcryptHash(read.passwordHash) && !latest.isBot && latest.lastPasswordUpdate === read.lastPasswordUpdate
  );
}
