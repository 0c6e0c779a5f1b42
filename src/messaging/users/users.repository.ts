import { Injectable } from '@nestjs/common';
import { In, Not, Raw } from 'typeorm';
import type { Page } from '../../platform/common/dto/params.js';
import { DatabaseCache, idKeys, shortKeys } from '../../platform/database/database-cache.js';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from './user.entity.js';

const IDS_PER_QUERY = 500;
const MAX_USER_BYTES = 32 * 1024 * 1024;
const MAX_NAME_BYTES = 4 * 1024 * 1024;
/** Usernames from other servers may contain other characters than ours, but are not longer. */
const MAX_USERNAME_LENGTH = 64;

export interface BotFilter {
  readonly ownerId: string | undefined;
  readonly includesDeleted: boolean;
  /** Only bots whose owner is deactivated or gone. */
  readonly isOrphaned: boolean;
}

/** Queries on accounts. Unknown ids are not cached, because made-up ids would evict accounts. */
@Injectable()
export class UsersRepository {
  private readonly byId: DatabaseCache<User | null>;
  private readonly idsByUsername: DatabaseCache<string | null>;

  constructor(private readonly unitOfWork: UnitOfWork) {
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

  /** Cached. The result is shared, so do not modify it. */
  find(id: string): Promise<User | null> {
    return this.byId.get(id, () => this.findFresh(id));
  }

  /** Not cached. */
  findFresh(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** The latest row, locked until the open transaction ends. */
  findForUpdate(id: string): Promise<User | null> {
    return this.users.findOne({ where: { id }, ...FOR_UPDATE });
  }

  /** Like find for several ids; skips unknown ids. Reads uncached accounts in one query. */
  async findAll(ids: readonly string[]): Promise<User[]> {
    if (this.unitOfWork.isOpen) return this.listByIds(ids);
    const missing = ids.filter((id) => this.byId.peek(id) === undefined);
    let loading: Promise<User[]> | undefined;
    const load = async (id: string): Promise<User | null> =>
      (await (loading ??= this.listByIds(missing))).find((user) => user.id === id) ?? null;
    const users = await Promise.all(ids.map((id) => this.byId.get(id, () => load(id))));
    return users.filter((user) => user !== null);
  }

  /** Cached. */
  async findByUsername(username: string): Promise<User | null> {
    const id = await this.idsByUsername.get(username, async () => {
      return (await this.findFreshByUsername(username))?.id ?? null;
    });
    const user = id === null ? null : await this.find(id);
    return user?.username === username ? user : null;
  }

  /** Not cached. */
  findFreshByUsername(username: string): Promise<User | null> {
    return this.users.findOneBy({ username });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  countOfConnection(remoteId: string): Promise<number> {
    return this.users.countBy({ remoteId });
  }

  async listByIds(ids: readonly string[]): Promise<User[]> {
    const unique = [...new Set(ids)];
    const found: User[] = [];
    for (let from = 0; from < unique.length; from += IDS_PER_QUERY)
      found.push(...(await this.users.findBy({ id: In(unique.slice(from, from + IDS_PER_QUERY)) })));
    return found;
  }

  listByUsernames(usernames: readonly string[]): Promise<User[]> {
    return this.users.findBy({ username: In([...usernames]) });
  }

  hasAny(): Promise<boolean> {
    return this.users.existsBy({ isBot: false });
  }

  listBots({ ownerId, includesDeleted, isOrphaned }: BotFilter, { offset, perPage }: Page): Promise<User[]> {
    const query = this.users.createQueryBuilder('bot').where('bot.isBot = :isBot', { isBot: true });
    if (ownerId !== undefined) query.andWhere('bot.botOwnerId = :ownerId', { ownerId });
    if (!includesDeleted) query.andWhere('bot.deleteAt = 0');
    if (isOrphaned) {
      query
        .leftJoin(User, 'owner', 'owner.id = bot.botOwnerId')
        .andWhere("bot.botOwnerId <> '' AND (owner.id IS NULL OR owner.deleteAt > 0)");
    }
    return query.orderBy('bot.createAt').addOrderBy('bot.id').offset(offset).limit(perPage).getMany();
  }

  /** The active bots of an owner, excluding the owner itself. */
  listActiveBotsOf(ownerId: string): Promise<User[]> {
    return this.users.findBy({ isBot: true, botOwnerId: ownerId, id: Not(ownerId), deleteAt: 0 });
  }

  async insert(user: User): Promise<void> {
    await this.users.insert(user);
    this.forget(user.id, user.username);
  }

  async update(id: string, change: Partial<Omit<User, 'id'>>): Promise<void> {
    await this.users.update({ id }, change);
    this.forget(id, change.username);
  }

  /** Locks the account's row until the transaction ends, so that a password change waits for the new session. */
  async recordLogin(
    { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
    now: number,
    change: Pick<User, 'passwordHash' | 'knownAddresses'>,
  ): Promise<boolean> {
    const { affected } = await this.users.update(
      { id, passwordHash, deleteAt: 0 },
      { lastLogin: now, failedAttempts: 0, lastFailedAt: 0, ...change },
    );
    this.forget(id);
    return affected === 1;
  }

  /** Counts a wrong password, for administrators to see. */
  async recordFailure(id: string, now: number): Promise<void> {
    await this.users.update({ id }, { failedAttempts: () => 'failed_attempts + 1', lastFailedAt: now });
    this.forget(id);
  }

  /** Counts only accounts that can sign in, so no bots. */
  hasOtherActiveAdministrator(exceptId: string): Promise<boolean> {
    const roles = havingRole('system_admin');
    return this.users.existsBy({ deleteAt: 0, isBot: false, id: Not(exceptId), roles });
  }

  /** The first accounts with the role of former guests, by id. */
  listGuests(take: number): Promise<User[]> {
    return this.users.find({ where: { roles: havingRole('system_guest') }, order: { id: 'ASC' }, take });
  }

  /** A username that the account no longer has needs no invalidation, because `findByUsername` compares it. */
  private forget(id: string, newUsername?: string): void {
    this.byId.forget(id);
    if (newUsername !== undefined) this.idsByUsername.forget(newUsername);
  }

  private get users() {
    return this.unitOfWork.manager.getRepository(User);
  }
}

const havingRole = (role: string) => Raw((column) => `INSTR(CONCAT(' ', ${column}, ' '), ' ${role} ') > 0`);
