import { Injectable } from '@nestjs/common';
import { type EntityManager, In, LessThan } from 'typeorm';
import { insertStatements } from '../database/rows.js';
import type { Statement } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Audit } from './audit.entity.js';

/** Queries on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  insertStatements(rows: readonly Audit[]): Statement[] {
    return insertStatements(this.unitOfWork.manager.dataSource, Audit, rows);
  }

  /** Inserts rows, or adds to the `repeats` of an existing row with the same id. */
  async addRepeats(manager: EntityManager, rows: readonly Audit[]): Promise<void> {
    const audits = manager.getRepository(Audit);
    const begun = rows.map((row) => ({ ...row, repeats: -1 }));
    await audits.createQueryBuilder().insert().values(begun).orIgnore().execute();
    for (const { id, repeats } of rows) await audits.increment({ id }, 'repeats', repeats + 1);
  }

  /** Deletes up to `limit` of the oldest rows before `time`. Returns the number of deleted rows. */
  async deleteBefore(time: number, limit: number): Promise<number> {
    const old = await this.audits.find({
      select: { id: true },
      where: { createAt: LessThan(time) },
      order: { createAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    if (old.length > 0) await this.audits.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }

  private get audits() {
    return this.unitOfWork.manager.getRepository(Audit);
  }
}
