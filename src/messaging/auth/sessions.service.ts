import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam, InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { isId, newId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Actor } from '../permissions/actor.js';
import { UserActivationChanged, UserPasswordChanged, UserRolesUpdated } from '../users/users.events.js';
import { byteLength } from '../../platform/common/utf8.js';
import { CredentialsService } from '../users/passwords/credentials.service.js';
import type { User } from '../users/user.entity.js';
import { UsersPolicy } from '../users/users.policy.js';
import { UsersService } from '../users/users.service.js';
import type { LoginDto } from './auth.dto.js';
import { accountDeactivated, blankPassword, invalidCredentials, sessionNotFound } from './auth.errors.js';
import { AuthenticationService } from './authentication.service.js';
import { clientProps } from './client-props.js';
import { SessionsRevoked } from './auth.events.js';
import { type Session, SESSION_LENGTH_MS } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';
import { tokenHash } from './presented-token.js';

/** The maximum number of sessions per user; beyond that, the least recently used sessions end. */
export const MAX_SESSIONS_PER_USER = 500;
const MAX_DEVICE_ID_BYTES = 512;

export interface LoginClient {
  readonly userAgent: string;
  readonly address: string;
}

/** The secrets of a new session, of which only hashes are stored. */
export interface NewSession {
  readonly token: string;
  readonly csrf: string;
}

/** Signs users in, and lists and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly tokens: AuthenticationService,
    private readonly credentials: CredentialsService,
    private readonly users: UsersService,
    private readonly policy: UsersPolicy,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Signs a user in (docs/contract/messaging.md#login). */
  async login(body: LoginDto, client: LoginClient): Promise<{ user: User; session: NewSession }> {
    if (body.password === '') throw blankPassword();
    if (byteLength(body.device_id) > MAX_DEVICE_ID_BYTES) {
      throw new InvalidBodyParam('device_id', `it must have at most ${MAX_DEVICE_ID_BYTES} bytes`);
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
      const session = await this.create(user.id, body.device_id, client.userAgent);
      return { user: { ...user, failedAttempts: 0, lastLogin: now }, session };
    });
  }

  private async create(userId: string, deviceId: string, userAgent: string): Promise<NewSession> {
    const now = this.clock.now();
    const secrets = { token: newId(), csrf: newId() };
    const replaced = deviceId === '' ? [] : await this.repository.listByDevice(userId, deviceId);
    await this.repository.deleteExpired(userId, now);
    const overflow = await this.repository.listOverflow(userId, MAX_SESSIONS_PER_USER - 1);
    await this.end(userId, [...replaced, ...overflow]);
    await this.repository.insert({
      id: newId(),
      tokenHash: tokenHash(secrets.token),
      csrfHash: tokenHash(secrets.csrf),
      userId,
      createAt: now,
      expiresAt: now + SESSION_LENGTH_MS,
      lastActivityAt: now,
      deviceId,
      props: clientProps(userAgent, deviceId !== ''),
    });
    return secrets;
  }

  async list(actor: Actor, userId: string): Promise<{ user: User; sessions: Session[] }> {
    await this.policy.requireManage(actor, userId);
    const user = await this.users.get(userId);
    return { user, sessions: await this.repository.listByUser(userId, this.clock.now()) };
  }

  async revoke(actor: Actor, userId: string, sessionId: string): Promise<void> {
    await this.policy.requireManage(actor, userId);
    if (sessionId === '') throw new InvalidBodyParam('session_id');
    const session = isId(sessionId) ? await this.repository.find(sessionId) : null;
    if (!session) throw sessionNotFound();
    if (session.userId !== userId)
      throw new InvalidUrlParam('user_id', 'the session belongs to another user');
    await this.unitOfWork.run(() => this.end(userId, [sessionId]));
  }

  async revokeAll(actor: Actor, userId: string): Promise<void> {
    await this.policy.requireManage(actor, userId);
    await this.users.get(userId);
    await this.unitOfWork.run(() => this.endAll(userId));
  }

  async revokeEverybody(): Promise<void> {
    await this.unitOfWork.run(async () => {
      const userIds = await this.repository.listUserIds();
      await this.repository.deleteAll();
      this.tokens.forgetAll();
      for (const userId of userIds) await this.events.publish(new SessionsRevoked(userId, []));
    });
  }

  /** Ends the session of a token, if there is one. Does not revoke personal access tokens. */
  async endByToken(token: string | undefined): Promise<void> {
    if (token === undefined) return;
    const session = await this.repository.findByTokenHash(tokenHash(token));
    if (session) await this.unitOfWork.run(() => this.end(session.userId, [session.id]));
  }

  @InTransaction(UserActivationChanged)
  async onActivationChanged({ userId, isActive }: UserActivationChanged): Promise<void> {
    if (isActive) this.tokens.forgetUser(userId);
    else await this.endAll(userId);
  }

  @InTransaction(UserPasswordChanged)
  onPasswordChanged({ userId, keptSessionId }: UserPasswordChanged): Promise<void> {
    return this.endAll(userId, keptSessionId);
  }

  @InTransaction(UserRolesUpdated)
  async onRolesUpdated({ userId }: UserRolesUpdated): Promise<void> {
    this.tokens.forgetUser(userId);
  }

  private async end(userId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.repository.delete(ids);
    this.tokens.forgetSessions(ids);
    await this.events.publish(new SessionsRevoked(userId, ids));
  }

  private async endAll(userId: string, exceptId = ''): Promise<void> {
    const open = await this.repository.listByUser(userId, this.clock.now());
    const ended = open.map(({ id }) => id).filter((id) => id !== exceptId);
    await this.repository.deleteByUser(userId, exceptId);
    this.tokens.forgetUser(userId);
    if (exceptId === '') await this.events.publish(new SessionsRevoked(userId, []));
    else if (ended.length > 0) await this.events.publish(new SessionsRevoked(userId, ended));
  }
}
