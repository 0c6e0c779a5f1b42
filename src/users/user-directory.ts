import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../common/bounded-cache.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

const MAX_USERS = 20_000;

/** Accounts by id and by name, from memory where possible. Whoever changes one calls `forget` after the commit. */
@Injectable()
export class UserDirectory {
  private readonly byId = new BoundedCache<User | null>(MAX_USERS);
  private readonly idsByUsername = new BoundedCache<string | null>(MAX_USERS);

  constructor(
    private readonly repository: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(id: string): Promise<User | null> {
    const load = (): Promise<User | null> => this.repository.findById(id);
    return this.unitOfWork.isOpen ? load() : this.byId.get(id, load);
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
}
