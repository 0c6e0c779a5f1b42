import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { byteLength } from '../../platform/common/utf8.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { CredentialsService } from '../users/passwords/credentials.service.js';
import type { User } from '../users/user.entity.js';
import { accountDeactivated, blankPassword, invalidCredentials } from './auth.errors.js';
import type { LoginDto } from './auth.dto.js';
import { type NewSession, SessionsService } from './sessions.service.js';

const MAX_DEVICE_ID_BYTES = 512;

/** The client that tries to sign in. */
export interface LoginClient {
  readonly userAgent: string;
  /** The client's address, as used for limits; empty in local mode. */
  readonly address: string;
}

/** Signs users in (docs/contract/messaging.md#login). */
@Injectable()
export class LoginService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Throws `blankPassword`, `invalidCredentials`, `accountDeactivated`, and errors of CredentialsService. */
  async login(body: LoginDto, client: LoginClient): Promise<{ user: User; session: NewSession }> {
    if (body.password === '') throw blankPassword();
    if (byteLength(body.device_id) > MAX_DEVICE_ID_BYTES) {
      throw new InvalidBodyParam('device_id', `it may have ${MAX_DEVICE_ID_BYTES} bytes at most`);
    }
    const claim = { loginId: body.login_id, id: body.id, password: body.password };
    const user = await this.credentials.findProven(claim, client.address);
    if (!user) throw invalidCredentials();
    if (user.deleteAt > 0) throw accountDeactivated(); // only with the right password
    const passwordHash = await this.credentials.hashToStore(user, body.password, client.address);
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      if (!(await this.credentials.recordLogin(user, now, client.address, passwordHash)))
        throw invalidCredentials();
      return {
        user: { ...user, failedAttempts: 0, lastLogin: now },
        session: await this.sessions.create(user.id, {
          deviceId: body.device_id,
          userAgent: client.userAgent,
        }),
      };
    });
  }
}
