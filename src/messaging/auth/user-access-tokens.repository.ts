import { Injectable } from '@nestjs/common';
import type { ExpiryRange } from '../../platform/common/expiry.js';
import { expiring } from '../../platform/database/expiring.js';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { UserAccessToken } from './user-access-token.entity.js';

/** Queries on personal access tokens. */
@Injectable()
export class UserAccessTokensRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findByTokenHash(tokenHash: string): Promise<UserAccessToken | null> {
    return this.tokens.findOneBy({ tokenHash });
  }

  find(id: string): Promise<UserAccessToken | null> {
    return this.tokens.findOneBy({ id });
  }

  async list(offset: number, limit: number, userId?: string): Promise<UserAccessToken[]> {
    if (limit === 0) return [];
    const where = userId === undefined ? {} : { userId };
    return this.tokens.find({ where, order: { createAt: 'ASC', id: 'ASC' }, skip: offset, take: limit });
  }

  countByUser(userId: string): Promise<number> {
    return this.tokens.countBy({ userId });
  }

  async insert(token: UserAccessToken): Promise<void> {
    await this.tokens.insert(token);
  }

  /** Returns false if the token does not exist. */
  async update(id: string, change: Partial<UserAccessToken>): Promise<boolean> {
    const { affected } = await this.tokens.update({ id }, change);
    return affected === 1;
  }

  listExpiring(range: ExpiryRange, limit: number): Promise<UserAccessToken[]> {
    const { where, ...options } = expiring(range, limit);
    return this.tokens.find({ ...options, where: { ...where, isActive: true } });
  }

  recordUse(id: string, at: number): Statement {
    return { sql: 'UPDATE user_access_tokens SET last_used = ? WHERE id = ?', parameters: [at, id] };
  }

  async delete(id: string): Promise<void> {
    await this.tokens.delete({ id });
  }

  private get tokens() {
    return this.unitOfWork.manager.getRepository(UserAccessToken);
  }
}
