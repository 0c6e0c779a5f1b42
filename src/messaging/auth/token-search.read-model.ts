import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { User } from '../users/user.entity.js';
import { UserAccessToken } from './user-access-token.entity.js';

/** Searches tokens by id or user. A limited search by username needs the join. */
@Injectable()
export class TokenSearchReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(term: string, limit: number): Promise<UserAccessToken[]> {
    return this.unitOfWork.manager
      .getRepository(UserAccessToken)
      .createQueryBuilder('t')
      .innerJoin(User, 'u', 'u.id = t.userId')
      .where(
        "(t.id LIKE :term ESCAPE '!' OR t.userId LIKE :term ESCAPE '!' OR u.username LIKE :term ESCAPE '!')",
        {
          term: `${term.replace(/[!%_]/g, '!$&')}%`,
        },
      )
      .orderBy('t.createAt', 'ASC')
      .addOrderBy('t.id', 'ASC')
      .limit(limit)
      .getMany();
  }
}
