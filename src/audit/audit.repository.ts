import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Audit } from './audit.entity.js';

@Injectable()
export class AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async insert(row: Audit): Promise<void> {
    await this.unitOfWork.manager.getRepository(Audit).insert(row);
  }

  listNewestFirst(offset: number, limit: number): Promise<Audit[]> {
    if (limit === 0) return Promise.resolve([]);
    return this.unitOfWork.manager
      .getRepository(Audit)
      .find({ order: { createAt: 'DESC', id: 'DESC' }, skip: offset, take: limit });
  }
}
