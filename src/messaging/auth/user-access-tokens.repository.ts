import { Injectable } from '@nestjs/common';
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

  async setActive(id: string, isActive: boolean): Promise<void> {
    await this.tokens.update({ id }, { isActive });
  }

  async delete(id: string): Promise<void> {
    await this.tokens.delete({ id });
  }

  private get tokens() {
    return this.unitOfWork.manager.getRepository(UserAccessToken);
  }
}
