import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { definedOnly } from '../../../platform/common/defined-only.js';
import type { Page } from '../../../platform/common/dto/params.js';
import { InvalidBodyParam, permissionDenied } from '../../../platform/common/errors/common-errors.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Actor } from '../../permissions/actor.js';
import { UserActivationChanged, UserUpdated } from '../users.events.js';
import { UserCache } from '../user-cache.js';
import { botEmail, requireBotDescription, requireValidProfile } from '../user-rules.js';
import type { User } from '../user.entity.js';
import { UserRecords } from '../user-records.js';
import { UsernameExists } from '../users.errors.js';
import { requireLocalUser } from '../users.policy.js';
import { UsersRepository } from '../users.repository.js';
import { UsersService } from '../users.service.js';
import { botNotFound, BotPermission } from './bots.errors.js';
import { BotsPolicy } from './bots.policy.js';
import { type BotFilter, BotsRepository } from './bots.repository.js';
import type { CreateBotDto, PatchBotDto } from './bots.dto.js';
import { InTransaction } from '../../../platform/events/listeners.js';

/** Bot use cases: program accounts with tokens but no password (docs/contract/messaging.md#bots). */
@Injectable()
export class BotsService {
  constructor(
    private readonly bots: BotsRepository,
    private readonly repository: UsersRepository,
    private readonly users: UserRecords,
    private readonly accounts: UsersService,
    private readonly cache: UserCache,
    private readonly policy: BotsPolicy,
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
    return this.bots.list({ ...filter, ownerId: await this.policy.listedOwner(actor) }, page);
  }

  /** Throws `botNotFound`, also for a disabled bot unless `includesDeleted` is set. */
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

  private async load(id: string): Promise<User> {
    const user = await this.users.find(id);
    if (!user?.isBot) throw botNotFound();
    return user;
  }

  private change(id: string, change: Partial<User>): Promise<User> {
    return this.unitOfWork.run(async () => {
      const bot = await this.repository.findByIdForUpdate(id);
      if (!bot?.isBot) throw botNotFound();
      const updated = { ...bot, ...change, updateAt: Math.max(this.clock.now(), bot.updateAt + 1) };
      requireValidProfile(updated, bot);
      requireBotDescription(updated.botDescription);
      await this.repository.update(id, { ...change, updateAt: updated.updateAt });
      this.cache.forget(id, bot.username, updated.username);
      await this.events.publish(new UserUpdated(id));
      return updated;
    });
  }
}

/** Disables the bots of a deactivated owner, because no one is responsible for them anymore. */
@Injectable()
export class OwnerDeactivatedListener {
  constructor(
    private readonly bots: BotsRepository,
    private readonly accounts: UsersService,
  ) {}

  @InTransaction(UserActivationChanged)
  async onActivation({ userId, isActive }: UserActivationChanged): Promise<void> {
    if (isActive) return;
    for (const bot of await this.bots.listActiveOf(userId)) await this.accounts.deactivateBot(bot);
  }
}
