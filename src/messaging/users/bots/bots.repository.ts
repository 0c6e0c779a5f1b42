import { Injectable } from '@nestjs/common';
import type { Page } from '../../../platform/common/dto/params.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { User } from '../user.entity.js';

/** Filters for bot lists. */
export interface BotFilter {
  readonly ownerId: string | undefined;
  readonly includesDeleted: boolean;
  /** Only bots whose owner is deactivated or gone. */
  readonly isOrphaned: boolean;
}

/** Queries on bots. */
@Injectable()
export class BotsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list({ ownerId, includesDeleted, isOrphaned }: BotFilter, { offset, perPage }: Page): Promise<User[]> {
    const query = this.bots();
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
  listActiveOf(ownerId: string): Promise<User[]> {
    return this.bots()
      .andWhere('bot.botOwnerId = :ownerId AND bot.id <> :ownerId AND bot.deleteAt = 0', { ownerId })
      .getMany();
  }

  private bots() {
    return this.unitOfWork.manager
      .getRepository(User)
      .createQueryBuilder('bot')
      .where('bot.isBot = :isBot', { isBot: true });
  }
}
