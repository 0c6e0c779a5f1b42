import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { InvalidBodyParam } from '../common/errors/common-errors.js';
import { byteLength } from '../common/utf8.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CredentialsService } from '../users/passwords/credentials.service.js';
import type { User } from '../users/user.entity.js';
import { TooManyFailedAttempts } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import { AccountDeactivated, BlankPassword, InvalidCredentials } from './auth.errors.js';
import { LoginThrottle } from './login-throttle.js';
import { type NewSession, SessionsService } from './sessions.service.js';

const MAX_DEVICE_ID_BYTES = 512;

/** What came with a login. */
export interface LoginAttempt {
  /** Username or e-mail address. */
  readonly loginId: string;
  /** The alternative: the id of the account. */
  readonly id: string;
  readonly password: string;
  readonly deviceId: string;
  readonly userAgent: string;
  /** Where it came from; empty over the socket of local mode. */
  readonly address: string;
}

/** Signs people in (spec/messaging-core.md 1.4). */
@Injectable()
export class LoginService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly throttle: LoginThrottle,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async login(attempt: LoginAttempt): Promise<{ user: User; session: NewSession }> {
    if (attempt.password === '') throw new BlankPassword();
    if (byteLength(attempt.deviceId) > MAX_DEVICE_ID_BYTES) {
      throw new InvalidBodyParam('device_id', `it may have ${MAX_DEVICE_ID_BYTES} bytes at most`);
    }
    this.throttle.requireAddress(attempt.address);
    const user = await this.authenticate(attempt);
    if (user.deleteAt > 0) throw new AccountDeactivated(); // said to those only who know the password
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      if (!(await this.credentials.recordLogin(user, now))) throw new InvalidCredentials();
      return { user: { ...user, failedAttempts: 0, lastLogin: now }, session: await this.sessions.open(user.id, attempt) };
    });
  }

  private async authenticate(attempt: LoginAttempt): Promise<User> {
    const { id, loginId, password, address } = attempt;
    const user = await (id === '' ? this.credentials.findByLoginId(loginId) : this.users.find(id));
    try {
      const failures = await (user ? this.failuresOf(user, password) : this.failuresOfNobody(id || loginId, password));
      if (user && failures === 0) return user;
      await this.throttle.delay(failures);
    } catch (error) {
      if (error instanceof TooManyFailedAttempts && address !== '') this.throttle.recordFailure(address);
      throw error;
    }
    if (address !== '') this.throttle.recordFailure(address);
    throw new InvalidCredentials();
  }

  /** 0 when the password is right, else the failures in a row. */
  private async failuresOf(user: User, password: string): Promise<number> {
    const { isRight, failures } = await this.credentials.check(user.id, password);
    return isRight ? 0 : Math.max(1, failures);
  }

  private async failuresOfNobody(name: string, password: string): Promise<number> {
    const failures = this.throttle.countStranger(name);
    await this.credentials.checkNobody(password);
    return failures;
  }
}
