import { Injectable } from '@nestjs/common';
import { DatabaseCache, idKeys, shortKeys } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

const MAX_USER_BYTES = 32 * 1024 * 1024;
const MAX_NAME_BYTES = 4 * 1024 * 1024;
/** Usernames from other servers may contain other characters than ours, but are not longer. */
const MAX_USERNAME_LENGTH = 64;

/**
 * Caches accounts by id and by username. Code that changes an account must call `forget`. Unknown ids are not
 * cached, because made-up ids would evict accounts.
 */
@Injectable()
export class UserCache {
  private readonly byId: DatabaseCache<User | null>;
  private readonly idsByUsername: DatabaseCache<string | null>;

  constructor(
    private readonly repository: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.byId = new DatabaseCache(unitOfWork, {
      name: 'users',
      maxBytes: MAX_USER_BYTES,
      keys: idKeys(null),
    });
    this.idsByUsername = new DatabaseCache(unitOfWork, {
      name: 'usernames',
      maxBytes: MAX_NAME_BYTES,
      keys: shortKeys(MAX_USERNAME_LENGTH, null),
      keepsMisses: true,
    });
  }

  find(id: string): Promise<User | null> {
    return this.byId.get(id, () => this.repository.findById(id));
  }

  /** The accounts with these ids; skips unknown ids. Reads uncached accounts in one query. */
  async list(ids: readonly string[]): Promise<User[]> {
    if (this.unitOfWork.isOpen) return this.repository.listByIds(ids);
    const missing = ids.filter((id) => this.byId.peek(id) === undefined);
    let loading: Promise<ReadonlyMap<string, User>> | undefined;
    const load = async (id: string): Promise<User | null> =>
      (await (loading ??= this.loadAll(missing))).get(id) ?? null;
    const users = await Promise.all(ids.map((id) => this.byId.get(id, () => load(id))));
    return users.filter((user) => user !== null);
  }

  async findByUsername(username: string): Promise<User | null> {
    const id = await this.idsByUsername.get(username, async () => {
      return (await this.repository.findByUsername(username))?.id ?? null;
    });
    const user = id === null ? null : await this.find(id);
    return user?.username === username ? user : null;
  }

  /** Invalidates an account; `usernames` are its usernames before and after the change. */
  forget(id: string, ...usernames: readonly string[]): void {
    this.byId.forget(id);
    for (const username of usernames) this.idsByUsername.forget(username);
  }

  private async loadAll(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    return new Map((await this.repository.listByIds(ids)).map((user) => [user.id, user]));
  }
}
