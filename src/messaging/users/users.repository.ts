import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { FOR_UPDATE } from '../../platform/database/transactions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from './user.entity.js';

const IDS_PER_QUERY = 500;

/** Queries on accounts, including deactivated ones. */
@Injectable()
export class UsersRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findById(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** The latest row, locked until the open transaction ends. */
  findByIdForUpdate(id: string): Promise<User | null> {
    return this.users.findOne({ where: { id }, ...FOR_UPDATE });
  }

  findByUsername(username: string): Promise<User | null> {
    return this.users.findOneBy({ username });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  /** The number of accounts received from a connection. */
  countOfConnection(remoteId: string): Promise<number> {
    return this.users.countBy({ remoteId });
  }

  listByIds(ids: readonly string[]): Promise<User[]> {
    return this.inSlices(ids, (slice) => this.users.findBy({ id: In(slice) }));
  }

  listByUsernames(usernames: readonly string[]): Promise<User[]> {
    return this.inSlices(usernames, (slice) => this.users.findBy({ username: In(slice) }));
  }

  /** Whether any non-bot account exists. */
  async hasAny(): Promise<boolean> {
    return (await this.users.find({ select: { id: true }, where: { isBot: false }, take: 1 })).length > 0;
  }

  async insert(user: User): Promise<void> {
    await this.users.insert(user);
  }

  /** Locks the row until the open transaction ends. Call it before other writes that concern the account. */
  async lock(id: string): Promise<void> {
    await this.unitOfWork.manager.query('UPDATE users SET update_at = update_at WHERE id = ?', [id]);
  }

  async update(id: string, change: Partial<Omit<User, 'id'>>): Promise<void> {
    await this.users.update({ id }, change);
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
    return affected === 1;
  }

  /** Counts a wrong password, for administrators to see. */
  async recordFailure(id: string, now: number): Promise<void> {
    await this.unitOfWork.manager.query(
      'UPDATE users SET failed_attempts = failed_attempts + 1, last_failed_at = ? WHERE id = ?',
      [now, id],
    );
  }

  /** Counts only accounts that can sign in, so no bots. */
  async hasOtherActiveAdministrator(exceptId: string): Promise<boolean> {
    const rows: unknown[] = await this.unitOfWork.manager.query(
      "SELECT id FROM users WHERE delete_at = 0 AND is_bot = 0 AND id <> ? AND INSTR(CONCAT(' ', roles, ' '), ' system_admin ') > 0 LIMIT 1",
      [exceptId],
    );
    return rows.length > 0;
  }

  private async inSlices<T>(keys: readonly string[], load: (slice: string[]) => Promise<T[]>): Promise<T[]> {
    const unique = [...new Set(keys)];
    const found: T[] = [];
    for (let from = 0; from < unique.length; from += IDS_PER_QUERY) {
      found.push(...(await load(unique.slice(from, from + IDS_PER_QUERY))));
    }
    return found;
  }

  private get users() {
    return this.unitOfWork.manager.getRepository(User);
  }
}
