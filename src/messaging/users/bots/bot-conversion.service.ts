import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Actor } from '../../permissions/actor.js';
import { RolesService } from '../../permissions/roles.service.js';
import { UserPasswordChanged, UserUpdated } from '../users.events.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { profileChange, requirePasswordPolicy, requireValidProfile } from '../user-rules.js';
import { UserCache } from '../user-cache.js';
import type { User } from '../user.entity.js';
import { EmailExists, UsernameExists, userNotFound } from '../users.errors.js';
import { requireLocalUser } from '../users.policy.js';
import { UsersRepository } from '../users.repository.js';
import { UsersService } from '../users.service.js';
import { botNotFound } from './bots.errors.js';
import type { ConvertBotDto } from './bots.dto.js';

const ADMIN_ROLES = 'system_user system_admin';

/** Converts user accounts to bots and back. */
@Injectable()
export class BotConversionService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly accounts: UsersService,
    private readonly cache: UserCache,
    private readonly hasher: PasswordHasher,
    private readonly roles: RolesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** The bot owns itself, as on stock servers. Throws `lastAdministrator`. */
  async toBot(id: string): Promise<User> {
    return this.unitOfWork.run(async () => {
      await this.roles.lockAdministration();
      const user = await this.repository.findByIdForUpdate(id);
      if (!user) throw userNotFound();
      requireLocalUser(user);
      if (user.isBot) return user;
      await this.accounts.requireAnotherAdministrator(user);
      const change = {
        isBot: true,
        botOwnerId: id,
        botDescription: '',
        passwordHash: '',
        knownAddresses: '',
      };
      return this.store(user, change);
    });
  }

  async toUser(actor: Actor, id: string, body: ConvertBotDto, isAdmin: boolean): Promise<User> {
    if (body.password === '') throw new InvalidBodyParam('password');
    requirePasswordPolicy(body.password);
    if (!(await this.cache.find(id))?.isBot) throw botNotFound();
    const passwordHash = await this.hasher.hash(body.password, actor.kind === 'local' ? 'local' : 'known');
    const person = { isBot: false, botOwnerId: '', botDescription: '', passwordHash };
    const change = { ...profileChange(body), ...person, lastPasswordUpdate: this.clock.now() };
    try {
      return await this.unitOfWork.run(async () => {
        const bot = await this.repository.findByIdForUpdate(id);
        if (!bot?.isBot) throw botNotFound();
        const user = await this.store(bot, change);
        if (!isAdmin) return user;
        await this.accounts.setRoles(actor, id, ADMIN_ROLES);
        return { ...user, roles: ADMIN_ROLES };
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const holder = change.email === undefined ? null : await this.repository.findByEmail(change.email);
      throw holder && holder.id !== id ? new EmailExists() : new UsernameExists();
    }
  }

  private async store(user: User, change: Partial<User>): Promise<User> {
    const updated = { ...user, ...change, updateAt: Math.max(this.clock.now(), user.updateAt + 1) };
    requireValidProfile(updated, user);
    await this.repository.update(user.id, { ...change, updateAt: updated.updateAt });
    this.cache.forget(user.id, user.username, updated.username);
    await this.events.publish(new UserPasswordChanged(user.id, ''));
    await this.events.publish(new UserUpdated(user.id));
    return updated;
  }
}
