import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { byIndex } from '../database/by-index.js';
import { insertStatements } from '../database/rows.js';
import type { Statement } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Audit } from './audit.entity.js';
import type { AuditFilter } from './audit-query.js';

/** The queries on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  insertStatements(rows: readonly Audit[]): Statement[] {
    return insertStatements(this.unitOfWork.manager.dataSource, Audit, rows);
  }

  /** Of several filters, one is looked up in its index, in order, and its rows are judged by the others. */
  async listNewestFirst(filter: AuditFilter, offset: number, limit: number): Promise<Audit[]> {
    if (limit === 0) return [];
    const { userId, action, result, since, before } = filter;
    const conditions: readonly (readonly [sql: string, value: string | number | undefined])[] = [
      ['user_id = ?', userId],
      ['action = ?', action],
      ['result = ?', result],
      ['create_at >= ?', since],
      ['create_at < ?', before],
    ];
    const given = conditions.filter(([, value]) => value !== undefined);
    const where = given.length === 0 ? '' : `WHERE ${given.map(([sql]) => sql).join(' AND ')}`;
    const ids = await this.unitOfWork.manager.query<{ id: string }[]>(
      `SELECT id FROM ${sourceOf(filter)} ${where} ORDER BY create_at DESC, id DESC LIMIT ? OFFSET ?`,
      [...given.map(([, value]) => value), limit, offset],
    );
    return this.unitOfWork.manager.getRepository(Audit).find({
      where: { id: In(ids.map(({ id }) => id)) },
      order: { createAt: 'DESC', id: 'DESC' },
    });
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

function sourceOf({ userId, action, result }: AuditFilter): string {
  if (userId !== undefined) return byIndex('audits', 'ix_audits_user');
  if (action !== undefined) return byIndex('audits', 'ix_audits_action');
  return result === undefined ? 'audits' : byIndex('audits', 'ix_audits_result');
}
