import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../platform/common/bounded-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

const MAX_USERS = 20_000;

/**
 * Accounts by id and by name, from memory where possible. Whoever changes one calls `forget` after the commit. An id that
 * nobody has is not remembered: anybody can think up thousands, and they would push the accounts out.
 */
@Injectable()
export class UserDirectory {
  private readonly byId = new BoundedCache<User | undefined>(MAX_USERS);
  private readonly idsByUsername = new BoundedCache<string | null>(MAX_USERS);

  constructor(
    private readonly repository: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(id: string): Promise<User | null> {
    if (this.unitOfWork.isOpen) return this.repository.findById(id);
    const user = await this.byId.get(id, async () => (await this.repository.findById(id)) ?? undefined);
    return user ?? null;
  }

  /** The known ones of these ids; those that are not in memory are read at once. */
  async list(ids: readonly string[]): Promise<User[]> {
    if (this.unitOfWork.isOpen) return this.repository.listByIds(ids);
    const missing = ids.filter((id) => this.byId.peek(id) === undefined);
    let loading: Promise<ReadonlyMap<string, User>> | undefined;
    const load = async (id: string): Promise<User | undefined> =>
      (await (loading ??= this.loadAll(missing))).get(id);
    const users = await Promise.all(ids.map((id) => this.byId.get(id, () => load(id))));
    return users.filter((user) => user !== undefined);
  }

  async findByUsername(username: string): Promise<User | null> {
    if (this.unitOfWork.isOpen) return this.repository.findByUsername(username);
    const id = await this.idsByUsername.get(username, async () => {
      return (await this.repository.findByUsername(username))?.id ?? null;
    });
    if (id === null) return null;
    const user = await this.find(id);
    return user?.username === username ? user : null;
  }

  /** Drops what is known of an account; `usernames` are those it had and has. */
  forget(id: string, ...usernames: readonly string[]): void {
    this.byId.forget(id);
    for (const username of usernames) this.idsByUsername.forget(username);
  }

  private async loadAll(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    return new Map((await this.repository.listByIds(ids)).map((user) => [user.id, user]));
  }
}
