import { Injectable } from '@nestjs/common';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { JsonBudget, MAX_ANSWER_BYTES } from '../../platform/common/json-budget.js';
import type { Actor } from '../permissions/actor.js';
import { isEmail, isUsernameShaped } from './user-rules.js';
import type { User } from './user.entity.js';
import { accountsTooLarge, usernameNotFound, userNotFound } from './users.errors.js';
import { VisibleUsers } from './visible-users.js';
import { UserRecords } from './user-records.js';

/** This many accounts of the largest size fit into the response limit. */
const ACCOUNTS_PER_QUERY = 200;

/** Looks up accounts visible to the caller. */
@Injectable()
export class AccountLookupService {
  constructor(
    private readonly users: UserRecords,
    private readonly visible: VisibleUsers,
  ) {}

  async get(actor: Actor, id: string): Promise<User> {
    await this.visible.requireAll(actor, [id]);
    return this.users.get(id);
  }

  async getByUsername(actor: Actor, username: string): Promise<User> {
    const name = asStored(username);
    if (!isUsernameShaped(name)) throw new InvalidUrlParam('username');
    const user = await this.users.findByUsername(name);
    await this.visible.requireAll(actor, [user?.id ?? '']);
    if (!user) throw usernameNotFound();
    return user;
  }

  async getByEmail(actor: Actor, email: string): Promise<User> {
    const address = asStored(email);
    if (!isEmail(address)) throw new InvalidUrlParam('email');
    const user = await this.users.findByEmail(address);
    await this.visible.requireAll(actor, [user?.id ?? '']);
    if (!user) throw userNotFound();
    return user;
  }

  /** Existing accounts visible to the caller that changed after `since`. Throws `accountsTooLarge`. */
  async listByIds(actor: Actor, ids: readonly string[], since: number): Promise<readonly User[]> {
    return inSlices('user_ids', ids, async (some) => {
      const users = (await this.users.listByIds(some)).filter((user) => user.updateAt > since);
      return this.visible.only(actor, users, ({ id }) => id);
    });
  }

  /** Like listByIds, but by username. */
  async listByUsernames(actor: Actor, usernames: readonly string[]): Promise<readonly User[]> {
    return inSlices('usernames', usernames.map(asStored), async (some) =>
      this.visible.only(actor, await this.users.listByUsernames(some), ({ id }) => id),
    );
  }
}

/** Usernames and addresses are stored in lower case. */
function asStored(name: string): string {
  return name.trim().toLowerCase();
}

/** The accounts that `load` finds for the requested keys, by username, if they fit into a response. */
async function inSlices(
  field: string,
  keys: readonly string[],
  load: (some: readonly string[]) => Promise<readonly User[]>,
): Promise<User[]> {
  const unique = [...new Set(keys)];
  const budget = new JsonBudget(MAX_ANSWER_BYTES);
  const found: User[] = [];
  for (let from = 0; from < unique.length; from += ACCOUNTS_PER_QUERY) {
    for (const user of await load(unique.slice(from, from + ACCOUNTS_PER_QUERY))) {
      if (!budget.take(user)) throw accountsTooLarge(field);
      found.push(user);
    }
  }
  return found.sort((a, b) => (a.username < b.username ? -1 : 1));
}
