import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { insertStatements } from '../database/rows.js';
import type { Statement } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Audit } from './audit.entity.js';

/** The queries on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  insertStatements(rows: readonly Audit[]): Statement[] {
    return insertStatements(this.unitOfWork.manager.dataSource, Audit, rows);
  }

  listNewestFirst(offset: number, limit: number): Promise<Audit[]> {
    if (limit === 0) return Promise.resolve([]);
    return this.unitOfWork.manager
      .getRepository(Audit)
      .find({ order: { createAt: 'DESC', id: 'DESC' }, skip: offset, take: limit });
  }

  /** Deletes up to `limit` of the oldest rows from before `time`. Returns how many. */
  async deleteBefore(time: number, limit: number): Promise<number> {
    const audits = this.unitOfWork.manager.getRepository(Audit);
    const old = await audits.find({
      select: { id: true },
      where: { createAt: LessThan(time) },
      order: { createAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    if (old.length > 0) await audits.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }
}
