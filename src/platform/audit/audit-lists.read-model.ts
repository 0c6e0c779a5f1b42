import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { byIndex } from '../database/insert-or-find.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Audit } from './audit.entity.js';
import type { AuditFilter } from './audit.dto.js';

/** The sort position of a row. */
export type AuditPlace = Pick<Audit, 'createAt' | 'id'>;

type Condition = readonly [sql: string, ...values: (string | number)[]];

/** The audit log in pages. Plain SQL, because the query builder cannot force an index, and MariaDB picks wrong ones. */
@Injectable()
export class AuditLists {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The rows after a place. One filter is served by its index; the others are applied to the rows found. */
  async listNewestFirst(
    filter: AuditFilter,
    after: AuditPlace | undefined,
    offset: number,
    limit: number,
  ): Promise<Audit[]> {
    if (limit === 0) return [];
    const conditions = conditionsOf(filter);
    if (after)
      conditions.push(
        ['create_at <= ?', after.createAt],
        ['(create_at < ? OR id < ?)', after.createAt, after.id],
      );
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
    const ids = await this.unitOfWork.manager.query<{ id: string }[]>(
      `SELECT id FROM ${sourceOf(filter)} ${where} ORDER BY create_at DESC, id DESC LIMIT ? OFFSET ?`,
      [...conditions.flatMap(([, ...values]) => values), limit, offset],
    );
    return this.unitOfWork.manager.getRepository(Audit).find({
      where: { id: In(ids.map(({ id }) => id)) },
      order: { createAt: 'DESC', id: 'DESC' },
    });
  }

  async findPlace(id: string, filter: AuditFilter): Promise<AuditPlace | null> {
    const conditions = conditionsOf(filter);
    const [row] = await this.unitOfWork.manager.query<{ create_at: number | string }[]>(
      `SELECT create_at FROM audits WHERE ${['id = ?', ...conditions.map(([sql]) => sql)].join(' AND ')}`,
      [id, ...conditions.flatMap(([, ...values]) => values)],
    );
    return row ? { createAt: Number(row.create_at), id } : null;
  }
}

function conditionsOf({ userId, action, result, since, before }: AuditFilter): Condition[] {
  return [
    ...only('user_id = ?', userId),
    ...only('action = ?', action),
    ...only('result = ?', result),
    ...only('create_at >= ?', since),
    ...only('create_at < ?', before),
  ];
}

const only = (sql: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [[sql, value]];

function sourceOf({ userId, action, result }: AuditFilter): string {
  if (userId !== undefined) return byIndex('audits', 'ix_audits_user');
  if (action !== undefined) return byIndex('audits', 'ix_audits_action');
  return byIndex('audits', result === undefined ? 'ix_audits_create' : 'ix_audits_result');
}
