import { Injectable } from '@nestjs/common';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { isEmail, isUsernameShaped } from './user-rules.js';
import type { User } from './user.entity.js';
import { UsernameNotFound, UserNotFound } from './users.errors.js';
import { UsersPolicy } from './users.policy.js';
import { UserRecords } from './user-records.js';

/** Looks up accounts that the caller may see. */
@Injectable()
export class AccountLookupService {
  constructor(
    private readonly users: UserRecords,
    private readonly policy: UsersPolicy,
  ) {}

  async get(actor: Actor, id: string): Promise<User> {
    await this.policy.requireVisible(actor, id);
    return this.users.get(id);
  }

  async getByUsername(actor: Actor, username: string): Promise<User> {
    if (!isUsernameShaped(username)) throw new InvalidUrlParam('username');
    const user = await this.users.findByUsername(username);
    await this.policy.requireVisible(actor, user?.id ?? '');
    if (!user) throw new UsernameNotFound();
    return user;
  }

  async getByEmail(actor: Actor, email: string): Promise<User> {
    const address = email.toLowerCase();
    if (!isEmail(address)) throw new InvalidUrlParam('email');
    const user = await this.users.findByEmail(address);
    await this.policy.requireVisible(actor, user?.id ?? '');
    if (!user) throw new UserNotFound();
    return user;
  }

  /** The accounts that exist, that the caller may see, and that changed after `since`. */
  async listByIds(actor: Actor, ids: readonly string[], since: number): Promise<User[]> {
    const users = await this.users.listByIds(ids);
    return this.visible(
      actor,
      users.filter((user) => user.updateAt > since),
    );
  }

  async listByUsernames(actor: Actor, usernames: readonly string[]): Promise<User[]> {
    return this.visible(actor, await this.users.listByUsernames(usernames));
  }

  private async visible(actor: Actor, users: User[]): Promise<User[]> {
    const guestId = await this.policy.restrictionOf(actor);
    if (guestId === undefined) return users;
    const seen: User[] = [];
    for (const user of users) if (await this.policy.isVisibleTo(guestId, user.id)) seen.push(user);
    return seen;
  }
}
