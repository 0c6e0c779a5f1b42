import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { byteLength } from '../../platform/common/utf8.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { CredentialsService } from '../users/passwords/credentials.service.js';
import type { User } from '../users/user.entity.js';
import { UserRecords } from '../users/user-records.js';
import { AccountDeactivated, BlankPassword, InvalidCredentials } from './auth.errors.js';
import type { LoginDto } from './dto/login.dto.js';
import { LoginThrottle } from './login-throttle.js';
import { type NewSession, SessionsService } from './sessions.service.js';

const MAX_DEVICE_ID_BYTES = 512;

/** Who tries to sign in. */
export interface LoginClient {
  readonly userAgent: string;
  /** The client's address; empty in local mode. */
  readonly address: string;
}

interface Verification {
  /** Undefined if the account or the password is wrong. */
  readonly user: User | undefined;
  /** Wrong passwords in a row. */
  readonly failures: number;
}

/** Signs users in (docs/contract/messaging.md#login). */
@Injectable()
export class LoginService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly users: UserRecords,
    private readonly sessions: SessionsService,
    private readonly throttle: LoginThrottle,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Throws BlankPassword, InvalidCredentials, AccountDeactivated, TooManyFromAddress, TooManyFailedAttempts. */
  async login(body: LoginDto, client: LoginClient): Promise<{ user: User; session: NewSession }> {
    if (body.password === '') throw new BlankPassword();
    if (byteLength(body.device_id) > MAX_DEVICE_ID_BYTES) {
      throw new InvalidBodyParam('device_id', `it may have ${MAX_DEVICE_ID_BYTES} bytes at most`);
    }
    const { user, failures } = await this.throttle.fromAddress(client.address, () => this.verify(body));
    if (!user) {
      await this.throttle.delay(failures);
      throw new InvalidCredentials();
    }
    if (user.deleteAt > 0) throw new AccountDeactivated(); // only with the right password
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      if (!(await this.credentials.recordLogin(user, now))) throw new InvalidCredentials();
      return {
        user: { ...user, failedAttempts: 0, lastLogin: now },
        session: await this.sessions.create(user.id, {
          deviceId: body.device_id,
          userAgent: client.userAgent,
        }),
      };
    });
  }

  private async verify({ id, login_id: loginId, password }: LoginDto): Promise<Verification> {
    const user = await (id === '' ? this.credentials.findByLoginId(loginId) : this.users.find(id));
    if (!user) {
      const failures = this.throttle.countUnknown(id || loginId);
      await this.credentials.verifyAgainstNobody(password);
      return { user: undefined, failures };
    }
    const { isRight, failures } = await this.credentials.check(user.id, password);
    return { user: isRight ? user : undefined, failures };
  }
}
