import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { definedOnly } from '../../../platform/common/defined-only.js';
import type { Page } from '../../../platform/common/dto/params.js';
import { InvalidBodyParam, permissionDenied } from '../../../platform/common/errors/common-errors.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { type DomainEvent, EventBus } from '../../../platform/events/event-bus.js';
import { InTransaction } from '../../../platform/events/listeners.js';
import type { Actor } from '../../permissions/actor.js';
import { RolesService } from '../../permissions/roles.service.js';
import { AccountsService } from '../accounts.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import {
  botEmail,
  profileChange,
  requireBotDescription,
  requirePasswordPolicy,
  requireValidProfile,
} from '../user-rules.js';
import type { User } from '../user.entity.js';
import { botNotFound, UsernameExists, userNotFound } from '../users.errors.js';
import { UserActivationChanged, UserPasswordChanged, UserUpdated } from '../users.events.js';
import { requireLocalUser } from '../users.policy.js';
import { type BotFilter, UsersRepository } from '../users.repository.js';
import { UsersService } from '../users.service.js';
import type { ConvertBotDto, CreateBotDto, PatchBotDto } from './bots.dto.js';
import { BotPermission, BotsPolicy } from './bots.policy.js';

const ADMIN_ROLES = 'system_user system_admin';

/** Bot use cases: program accounts with tokens but no password (docs/contract/messaging.md#bots). */
@Injectable()
export class BotsService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly policy: BotsPolicy,
    private readonly hasher: PasswordHasher,
    private readonly roles: RolesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** The caller owns the bot; a bot created in local mode has no owner. */
  async create(actor: Actor, body: CreateBotDto): Promise<User> {
    if (body.username === '') throw new InvalidBodyParam('username');
    await this.policy.requireCreate(actor);
    const { username, display_name: displayName = '', description = '' } = body;
    return this.users.createBot({ username, displayName, description, ownerId: actor.userId });
  }

  async list(actor: Actor, filter: Omit<BotFilter, 'ownerId'>, page: Page): Promise<User[]> {
    return this.repository.listBots({ ...filter, ownerId: await this.policy.listedOwner(actor) }, page);
  }

  /** Throws `botNotFound`, including for a disabled bot unless `includesDeleted` is set. */
  async get(actor: Actor, id: string, includesDeleted: boolean): Promise<User> {
    const bot = await this.load(id);
    await this.policy.requireRead(actor, bot);
    if (bot.deleteAt > 0 && !includesDeleted) throw botNotFound();
    return bot;
  }

  async update(actor: Actor, id: string, body: PatchBotDto): Promise<User> {
    const username = body.username?.toLowerCase();
    const change = definedOnly({
      username,
      email: username && botEmail(username),
      firstName: body.display_name,
      botDescription: body.description,
    });
    await this.policy.requireManage(actor, await this.load(id));
    try {
      return await this.change(id, change);
    } catch (error) {
      if (isDuplicateKey(error)) throw new UsernameExists();
      throw error;
    }
  }

  async setActive(actor: Actor, id: string, isActive: boolean): Promise<User> {
    await this.policy.requireManage(actor, await this.load(id));
    await this.accounts.applyActivation(actor, id, isActive);
    return this.load(id);
  }

  /** Throws `userNotFound`, and `permissionDenied` for a new owner that is a bot. */
  async assign(actor: Actor, id: string, ownerId: string): Promise<User> {
    await this.policy.requireManage(actor, await this.load(id));
    const owner = await this.users.get(ownerId);
    requireLocalUser(owner);
    if (owner.isBot) throw permissionDenied(BotPermission.ManageOthersBots);
    return this.change(id, { botOwnerId: ownerId });
  }

  /** The bot owns itself, as on stock servers. Throws `lastAdministrator`. */
  async toBot(id: string): Promise<User> {
    return this.unitOfWork.run(async () => {
      await this.roles.lockAdministration();
      const user = await this.repository.findForUpdate(id);
      if (!user) throw userNotFound();
      requireLocalUser(user);
      if (user.isBot) return user;
      await this.accounts.requireAnotherAdministrator(user);
      const bot = { isBot: true, botOwnerId: id, botDescription: '' };
      const change = { ...bot, passwordHash: '', knownAddresses: '' };
      return this.store(user, change, new UserPasswordChanged(id, ''));
    });
  }

  async toUser(actor: Actor, id: string, body: ConvertBotDto, isAdmin: boolean): Promise<User> {
    if (body.password === '') throw new InvalidBodyParam('password');
    requirePasswordPolicy(body.password);
    if (!(await this.repository.find(id))?.isBot) throw botNotFound();
    const passwordHash = await this.hasher.hash(body.password, actor.kind === 'local' ? 'local' : 'known');
    const person = { isBot: false, botOwnerId: '', botDescription: '', passwordHash };
    const change = { ...profileChange(body), ...person, lastPasswordUpdate: this.clock.now() };
    try {
      return await this.unitOfWork.run(async () => {
        const bot = await this.repository.findForUpdate(id);
        if (!bot?.isBot) throw botNotFound();
        const user = await this.store(bot, change, new UserPasswordChanged(id, ''));
        if (!isAdmin) return user;
        await this.accounts.setRoles(actor, id, ADMIN_ROLES);
        return { ...user, roles: ADMIN_ROLES };
      });
    } catch (error) {
      throw isDuplicateKey(error) ? await this.accounts.conflict(id, change) : error;
    }
  }

  private async load(id: string): Promise<User> {
    const user = await this.users.find(id);
    if (!user?.isBot) throw botNotFound();
    return user;
  }

  private change(id: string, change: Partial<User>): Promise<User> {
    return this.unitOfWork.run(async () => {
      const bot = await this.repository.findForUpdate(id);
      if (!bot?.isBot) throw botNotFound();
      return this.store(bot, change);
    });
  }

  private async store(user: User, change: Partial<User>, event?: DomainEvent): Promise<User> {
    const updated = { ...user, ...change, updateAt: Math.max(this.clock.now(), user.updateAt + 1) };
    requireValidProfile(updated, user, updated.isBot ? 'display_name' : 'first_name');
    requireBotDescription(updated.botDescription);
    await this.repository.update(user.id, { ...change, updateAt: updated.updateAt });
    if (event) await this.events.publish(event);
    await this.events.publish(new UserUpdated(user.id));
    return updated;
  }

  /** Disables the bots of a deactivated owner, because no one is responsible for them anymore. */
  @InTransaction(UserActivationChanged)
  async onActivation({ userId, isActive }: UserActivationChanged): Promise<void> {
    if (isActive) return;
    for (const bot of await this.repository.listActiveBotsOf(userId)) await this.accounts.deactivateBot(bot);
  }
}
