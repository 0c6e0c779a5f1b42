import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EventBus } from '../../platform/events/event-bus.js';
import type { Actor } from '../permissions/actor.js';
import { RolesService } from '../permissions/roles.service.js';
import type { CreateUserDto } from './dto/user.dto.js';
import { AttemptThrottle } from './passwords/attempt-throttle.js';
import { type HashLane, PasswordHasher } from './passwords/password-hasher.js';
import {
  botEmail,
  newUser,
  type Profile,
  profileChange,
  requireBotDescription,
  requirePasswordPolicy,
  requireValidProfile,
} from './user-rules.js';
import type { User } from './user.entity.js';
import { EmailExists, serverNotOpen, signUpDisabled, UsernameExists, userNotFound } from './users.errors.js';
import { UserCreated, UserSignedUp } from './users.events.js';
import { UsersPolicy } from './users.policy.js';
import { UsersRepository } from './users.repository.js';
import { UsersSettings } from './users.settings.js';

const ADMIN_ROLES = 'system_admin system_user';
const PASSWORD_ACCOUNT = 'email';

export type NewUser = Partial<Profile & Pick<User, 'emailVerified' | 'emailSource'>> & {
  readonly password: string;
};

/** A new bot; the server's own bots have no owner. */
export interface NewBot {
  /** Generated if omitted. */
  readonly id?: string;
  readonly username: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownerId: string;
}

interface CreateOptions {
  /** Invite id of the team that the new user joins; an unknown id makes the creation fail. */
  readonly inviteId?: string | undefined;
  /** Creates only the very first account; throws `serverNotOpen` if another account exists by then. */
  readonly isFirstOnly?: boolean;
  readonly lane?: HashLane;
}

/** Finds and creates accounts. Only `signUp` checks permissions. */
@Injectable()
export class UsersService {
  /** Throws for an unknown invite id. The module that owns the invites sets it at startup. */
  requireInvite: (inviteId: string) => Promise<void> = () => Promise.reject(serverNotOpen());
  private isPopulated = false;

  constructor(
    private readonly repository: UsersRepository,
    private readonly policy: UsersPolicy,
    private readonly hasher: PasswordHasher,
    private readonly throttle: AttemptThrottle,
    private readonly roles: RolesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly settings: UsersSettings,
  ) {}

  /** Cached; includes deactivated accounts. The result is shared, so do not modify it. */
  find(id: string): Promise<User | null> {
    return this.repository.find(id);
  }

  /** Like find for several ids, in no particular order; skips unknown ids. */
  findAll(ids: readonly string[]): Promise<User[]> {
    return this.repository.findAll(ids);
  }

  /** Like find; throws `userNotFound`. */
  async get(id: string): Promise<User> {
    const user = await this.find(id);
    if (!user) throw userNotFound();
    return user;
  }

  /** The latest row, locked until the open unit of work ends. Throws `userNotFound`. */
  async getForUpdate(id: string): Promise<User> {
    const user = await this.repository.findForUpdate(id);
    if (!user) throw userNotFound();
    return user;
  }

  /** Cached. The username must be in lower case. */
  findByUsername(username: string): Promise<User | null> {
    return this.repository.findByUsername(username);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.repository.findByEmail(email);
  }

  /** Who is responsible for an account: the owner for a bot, otherwise the account itself. */
  async personOf(id: string): Promise<string> {
    return (await this.find(id))?.botOwnerId || id;
  }

  async hasAnyUser(): Promise<boolean> {
    this.isPopulated ||= await this.repository.hasAny();
    return this.isPopulated;
  }

  /** Creates an account for a caller who may sign up (docs/contract/messaging.md#sign-up). */
  async signUp(
    actor: Actor,
    body: CreateUserDto,
    { inviteId = '', token = '' }: Partial<Record<'inviteId' | 'token', string | undefined>>,
    address: string,
  ): Promise<User> {
    if (!this.settings.enableUserCreation && actor.kind !== 'local') throw signUpDisabled();
    if (token !== '') {
      const id = 'api.user.create_user.signup_link_invalid.app_error';
      throw new ValidationFailed(id, 't', 'the invitation does not exist');
    }
    const isAdmin = await this.policy.isSystemManager(actor);
    if (inviteId !== '') await this.requireInvite(inviteId); // before anything is revealed or costs much
    const isFirstOnly = inviteId === '' && !isAdmin && !this.settings.enableOpenServer;
    if (isFirstOnly && (await this.hasAnyUser())) throw serverNotOpen();
    requireNoForeignIdentity(body);
    const account: NewUser = {
      ...profileChange(body),
      password: body.password,
      emailVerified: isAdmin && body.email_verified,
      emailSource: isAdmin ? '' : 'sign-up',
    };
    const options = { isFirstOnly, inviteId: inviteId || undefined };
    if (isAdmin)
      return this.create(account, { ...options, lane: actor.kind === 'local' ? 'local' : 'known' });
    return this.throttle.signUp(address, () => this.create(account, { ...options, lane: 'sign-up' }));
  }

  /** Creates the administrator at the first start. */
  createAdministrator(input: { username: string; email: string; password: string }): Promise<User> {
    return this.create({ ...input, roles: ADMIN_ROLES });
  }

  /** Creates a bot, which cannot sign in. It never counts as the first account. */
  async createBot({ id, username, displayName, description, ownerId }: NewBot): Promise<User> {
    const bot = newUser(this.clock.now(), {
      ...(id === undefined ? {} : { id }),
      username: username.toLowerCase(),
      email: botEmail(username),
      firstName: displayName,
      isBot: true,
      botOwnerId: ownerId,
      botDescription: description,
    });
    requireValidProfile(bot, id === undefined ? undefined : bot, 'display_name'); // our own bots may have reserved names
    requireBotDescription(description);
    await this.requireFree(bot);
    return this.store(bot, () => this.insert(bot));
  }

  private async create({ password, ...input }: NewUser, options: CreateOptions = {}): Promise<User> {
    requirePasswordPolicy(password);
    const names = { username: input.username?.toLowerCase(), email: input.email?.toLowerCase() };
    const user = newUser(this.clock.now(), { ...input, ...names });
    requireValidProfile(user);
    await this.requireFree(user); // a cheap check before the costly hash; the unique keys decide
    user.passwordHash = await this.hasher.hash(password, options.lane ?? 'known'); // slow, so outside the transaction
    const isMaybeFirst = !(await this.hasAnyUser());
    return this.store(user, async () => {
      if (isMaybeFirst) await this.roles.lockAdministration();
      const isFirst = isMaybeFirst && !(await this.repository.hasAny());
      if (options.isFirstOnly && !isFirst) throw serverNotOpen();
      const created = await this.insert(isFirst ? { ...user, roles: ADMIN_ROLES, emailSource: '' } : user);
      if (options.inviteId !== undefined)
        await this.events.publish(new UserSignedUp(created.id, options.inviteId));
      return created;
    });
  }

  private async store(user: User, insert: () => Promise<User>): Promise<User> {
    try {
      return await this.unitOfWork.run(insert);
    } catch (error) {
      if (isDuplicateKey(error)) await this.requireFree(user);
      throw error;
    }
  }

  private async insert(user: User): Promise<User> {
    this.audit.concerns({ id: user.id });
    await this.repository.insert(user);
    await this.events.publish(new UserCreated(user.id));
    return user;
  }

  private async requireFree(user: User): Promise<void> {
    const hasName = async () => (await this.repository.findFreshByUsername(user.username)) !== null;
    if (user.isBot && (await hasName())) throw new UsernameExists(); // the address is derived from the name
    if (await this.repository.findByEmail(user.email)) throw new EmailExists();
    if (await hasName()) throw new UsernameExists();
  }
}

function requireNoForeignIdentity(body: CreateUserDto): void {
  if (body.id)
    throw new ValidationFailed('app.user.save.existing.app_error', 'id', 'the server assigns the id');
  const hasOtherService = body.auth_service !== '' && body.auth_service !== PASSWORD_ACCOUNT;
  const field = hasOtherService ? 'auth_service' : body.auth_data ? 'auth_data' : undefined;
  if (field === undefined) return;
  const id = 'model.user.is_valid.auth_data_type.app_error';
  throw new ValidationFailed(id, field, 'accounts sign in by password here');
}
