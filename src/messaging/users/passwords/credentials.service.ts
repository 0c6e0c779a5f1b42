import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { TooManyFailedAttempts } from '../users.errors.js';
import type { User } from '../user.entity.js';
import { UserCache } from '../user-cache.js';
import { UsersRepository } from '../users.repository.js';
import { AttemptQueue } from './attempt-queue.js';
import { PasswordHasher } from './password-hasher.js';

/** The number of wrong passwords in a row that locks an account. */
export const MAX_FAILED_ATTEMPTS = 10;
/** How long the lock lasts after the last wrong password. It ends so that nobody can lock administrators out forever. */
export const LOCK_MS = 10 * 60_000;

/** The result of checking a password. */
export interface PasswordCheck {
  readonly isRight: boolean;
  /** Wrong passwords in a row, including this one. */
  readonly failures: number;
}

/** Checks passwords, and locks accounts after too many wrong ones. */
@Injectable()
export class CredentialsService {
  private readonly queue = new AttemptQueue();

  constructor(
    private readonly repository: UsersRepository,
    private readonly cache: UserCache,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  findByLoginId(loginId: string): Promise<User | null> {
    const key = loginId.trim().toLowerCase();
    return key.includes('@') ? this.repository.findByEmail(key) : this.repository.findByUsername(key);
  }

  /** Throws TooManyFailedAttempts while the account is locked. Do not call it inside a unit of work. */
  check(userId: string, password: string): Promise<PasswordCheck> {
    return this.queue.run(userId, async () => {
      const user = await this.repository.findById(userId);
      const isRemote = user !== null && user.remoteId !== ''; // has no password here
      const now = this.clock.now();
      const isLocked = user !== null && user.failedAttempts >= MAX_FAILED_ATTEMPTS;
      if (isLocked && now < user.lastFailedAt + LOCK_MS) throw new TooManyFailedAttempts();
      const isRight = await this.hasher.verify(isRemote ? undefined : user?.passwordHash, password);
      const failures = isRight || !user ? 0 : isLocked ? 1 : user.failedAttempts + 1;
      if (!user || (isRight && user.failedAttempts === 0)) return { isRight, failures };
      if (isRight) await this.repository.update(userId, { failedAttempts: 0, lastFailedAt: 0 });
      else await this.repository.recordFailure(userId, now, isLocked);
      this.cache.forget(userId);
      return { isRight, failures };
    });
  }

  /** Takes as long as check, for an account that does not exist. */
  async verifyAgainstNobody(password: string): Promise<void> {
    await this.hasher.verify(undefined, password);
  }

  /** False if the account was deactivated or its password changed since it was read: the login must be refused. */
  recordLogin(user: User, now: number): Promise<boolean> {
    this.cache.forget(user.id);
    return this.repository.recordLogin(user, now);
  }
}
