import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { newId } from '../../platform/common/ids.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { RolesService } from '../permissions/roles.service.js';
import { UserCreated, UserSignedUp } from './users.events.js';
import { type HashLane, PasswordHasher } from './passwords/password-hasher.js';
import { UserCache } from './user-cache.js';
import {
  botEmail,
  DEFAULT_NOTIFY_PROPS,
  DEFAULT_TIMEZONE,
  type Profile,
  requireBotDescription,
  requirePasswordPolicy,
  requireValidProfile,
  supportedLocale,
} from './user-rules.js';
import { type EmailSource, User } from './user.entity.js';
import { EmailExists, serverNotOpen, UsernameExists, userNotFound } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

const ADMIN_ROLES = 'system_admin system_user';
const USER_ROLES = 'system_user';

/** The fields of a new account; omitted fields get their defaults. */
export interface NewUser extends Partial<Omit<Profile, 'roles'>> {
  readonly password: string;
  readonly emailVerified?: boolean;
  readonly emailSource?: EmailSource;
}

/** A new bot; the server's own bots have no owner. */
export interface NewBot {
  /** Generated if omitted. */
  readonly id?: string;
  readonly username: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownerId: string;
}

export interface CreateOptions {
  readonly roles?: string;
  /** Invite id of the team that the new user joins; an unknown id makes the creation fail. */
  readonly inviteId?: string;
  /** Creates only the very first account; throws `serverNotOpen` if another account exists by then. */
  readonly isFirstOnly?: boolean;
  /** The queue lane for hashing the password. */
  readonly lane?: HashLane;
}

/** Reads and creates accounts, and publishes new ones. Does not check permissions. */
@Injectable()
export class UserRecords {
  private isPopulated = false;

  constructor(
    private readonly repository: UsersRepository,
    private readonly cache: UserCache,
    private readonly hasher: PasswordHasher,
    private readonly roles: RolesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Cached; includes deactivated accounts. The result is shared, so do not modify it. */
  find(id: string): Promise<User | null> {
    return this.cache.find(id);
  }

  /** Who is responsible for an account: the owner for a bot, otherwise the account itself. */
  async personOf(id: string): Promise<string> {
    return (await this.cache.find(id))?.botOwnerId || id;
  }

  /** Like find for several ids, in no particular order; skips unknown ids. */
  findAll(ids: readonly string[]): Promise<User[]> {
    return this.cache.list(ids);
  }

  /** Throws `userNotFound`. */
  async get(id: string): Promise<User> {
    const user = await this.cache.find(id);
    if (!user) throw userNotFound();
    return user;
  }

  /**
   * The latest row, locked until the open unit of work ends, so that the account's guest state cannot change
   * while a membership is written. Throws `userNotFound`.
   */
  async getForUpdate(id: string): Promise<User> {
    const user = await this.repository.findByIdForUpdate(id);
    if (!user) throw userNotFound();
    return user;
  }

  /** Cached. The username must be in lower case. */
  findByUsername(username: string): Promise<User | null> {
    return this.cache.findByUsername(username);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.repository.findByEmail(email);
  }

  /** The accounts with these ids, sorted by username; skips unknown ids. */
  async listByIds(ids: readonly string[]): Promise<User[]> {
    return byUsername(await this.repository.listByIds(ids));
  }

  async listByUsernames(usernames: readonly string[]): Promise<User[]> {
    return byUsername(await this.repository.listByUsernames(usernames));
  }

  /** Whether the server has any non-bot account. */
  async hasAnyUser(): Promise<boolean> {
    this.isPopulated ||= await this.repository.hasAny();
    return this.isPopulated;
  }

  /** Creates an account. The first account of a server becomes its administrator. */
  async create(input: NewUser, options: CreateOptions = {}): Promise<User> {
    requirePasswordPolicy(input.password);
    const user = this.newUser(input, options.roles ?? USER_ROLES);
    requireValidProfile(user);
    await this.requireFree(user); // a cheap check before the costly hash; the unique keys decide
    user.passwordHash = await this.hasher.hash(input.password, options.lane ?? 'known'); // slow, so outside the transaction
    const isMaybeFirst = !(await this.hasAnyUser());
    try {
      return await this.unitOfWork.run(() => this.insert(user, options, isMaybeFirst));
    } catch (error) {
      if (isDuplicateKey(error)) await this.requireFree(user);
      throw error;
    }
  }

  /** Creates the administrator at the first start. */
  createAdministrator(input: { username: string; email: string; password: string }): Promise<User> {
    return this.create(input, { roles: ADMIN_ROLES });
  }

  /** Creates a bot, which cannot sign in. It never counts as the first account. */
  async createBot({ id, username, displayName, description, ownerId }: NewBot): Promise<User> {
    const profile = { username, email: botEmail(username), firstName: displayName };
    const bot: User = {
      ...this.newUser({ ...profile, password: '' }, USER_ROLES),
      ...(id === undefined ? {} : { id }),
      isBot: true,
      botOwnerId: ownerId,
      botDescription: description,
    };
    requireValidProfile(bot, id === undefined ? undefined : bot); // our own bots may have reserved names
    requireBotDescription(description);
    await this.requireFree(bot);
    try {
      await this.unitOfWork.run(() => this.add(bot));
    } catch (error) {
      if (isDuplicateKey(error)) await this.requireFree(bot);
      throw error;
    }
    return bot;
  }

  private async insert(user: User, options: CreateOptions, isMaybeFirst: boolean): Promise<User> {
    if (isMaybeFirst) await this.roles.lockAdministration();
    const isFirst = isMaybeFirst && !(await this.repository.hasAny());
    if (options.isFirstOnly && !isFirst) throw serverNotOpen();
    const created: User = isFirst ? { ...user, roles: ADMIN_ROLES, emailSource: '' } : user;
    await this.add(created);
    if (options.inviteId !== undefined)
      await this.events.publish(new UserSignedUp(created.id, options.inviteId));
    return created;
  }

  private async add(user: User): Promise<void> {
    this.audit.concerns({ id: user.id });
    await this.repository.insert(user);
    this.cache.forget(user.id, user.username);
    await this.events.publish(new UserCreated(user.id));
  }

  private async requireFree(user: User): Promise<void> {
    const hasName = async () => (await this.repository.findByUsername(user.username)) !== null;
    if (user.isBot && (await hasName())) throw new UsernameExists(); // the address is derived from the name
    if (await this.repository.findByEmail(user.email)) throw new EmailExists();
    if (await hasName()) throw new UsernameExists();
  }

  private newUser(input: NewUser, roles: string): User {
    const now = this.clock.now();
    return {
      id: newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      username: input.username?.toLowerCase() || newId(),
      passwordHash: '',
      email: input.email?.toLowerCase() ?? '',
      emailVerified: input.emailVerified ?? false,
      emailSource: input.emailSource ?? '',
      knownAddresses: '',
      nickname: input.nickname ?? '',
      firstName: input.firstName ?? '',
      lastName: input.lastName ?? '',
      position: input.position ?? '',
      roles,
      props: input.props ?? {},
      notifyProps: { ...DEFAULT_NOTIFY_PROPS, ...input.notifyProps },
      timezone: { ...DEFAULT_TIMEZONE, ...input.timezone },
      locale: supportedLocale(input.locale ?? ''), // unknown locales fall back to the default
      lastPasswordUpdate: now,
      failedAttempts: 0,
      lastFailedAt: 0,
      lastLogin: 0,
      remoteId: '',
      isDeactivatedHere: false,
      isBot: false,
      botOwnerId: '',
      botDescription: '',
    };
  }
}

function byUsername(users: User[]): User[] {
  return users.sort((a, b) => (a.username < b.username ? -1 : 1));
}
