import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { dialect } from '../config/settings.js';
import { byIndex } from '../database/insert-or-find.js';
import { insertStatements } from '../database/rows.js';
import type { Statement } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Audit } from './audit.entity.js';
import type { AuditFilter } from './audit.dto.js';

/** The sort position of a row. */
export type AuditPlace = Pick<Audit, 'createAt' | 'id'>;

type Condition = readonly [sql: string, ...values: (string | number)[]];

const ADD_REPEATS =
  dialect === 'mysql'
    ? 'ON DUPLICATE KEY UPDATE repeats = repeats + VALUES(repeats) + 1'
    : 'ON CONFLICT (id) DO UPDATE SET repeats = repeats + excluded.repeats + 1';

/** Queries on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  insertStatements(rows: readonly Audit[]): Statement[] {
    return insertStatements(this.unitOfWork.manager.dataSource, Audit, rows);
  }

  /** Statements that insert rows, or add to the `repeats` of an existing row with the same id. */
  repeatStatements(rows: readonly Audit[]): Statement[] {
    return this.insertStatements(rows).map(({ sql, parameters }) => ({
      sql: `${sql} ${ADD_REPEATS}`,
      parameters,
    }));
  }

  /**
   * The rows after a place. One filter is served by its index, in order; the others are applied to the rows
   * found.
   */
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
    return this.audits.find({
      where: { id: In(ids.map(({ id }) => id)) },
      order: { createAt: 'DESC', id: 'DESC' },
    });
  }

  /** The place of a row that matches the filter, or null. */
  async findPlace(id: string, filter: AuditFilter): Promise<AuditPlace | null> {
    const conditions = conditionsOf(filter);
    const [row] = await this.unitOfWork.manager.query<{ create_at: number | string }[]>(
      `SELECT create_at FROM audits WHERE ${['id = ?', ...conditions.map(([sql]) => sql)].join(' AND ')}`,
      [id, ...conditions.flatMap(([, ...values]) => values)],
    );
    return row ? { createAt: Number(row.create_at), id } : null;
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
