import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Contribution } from '../../../platform/common/events/event-bus.js';
import { insertRows, insertStatement } from '../../../platform/database/rows.js';
import type { Statement } from '../../../platform/database/statement.js';
import { Post } from '../post.entity.js';
import { countingStatements } from './counting-statements.js';
import type { PendingRow } from './pending-row.js';
import type { Companion } from './write-request.js';

/** What one commit of posts writes: the rows, their companions, and what has to be counted. */
@Injectable()
export class PostRowsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(
    manager: EntityManager,
    rows: readonly PendingRow[],
    companions: readonly Companion[],
    contributions: readonly Contribution[],
  ): Promise<void> {
    const posts = postsOf(rows);
    await insertRows(manager, Post, posts);
    for (const { sql, parameters } of countingStatements(rows)) await manager.query(sql, [...parameters]);
    for (const companion of companions) {
      if ('write' in companion) await companion.write(manager, posts);
      else await insertRows(manager, companion.entity, [companion.row]);
    }
    for (const { entity, rows } of contributions) await insertRows(manager, entity, rows);
  }

  /** The same as statements; undefined when a companion decides by itself what to write. */
  statements(
    rows: readonly PendingRow[],
    companions: readonly Companion[],
    contributions: readonly Contribution[],
  ): Statement[] | undefined {
    const statements = [insertStatement(this.dataSource, Post, postsOf(rows)), ...countingStatements(rows)];
    for (const companion of companions) {
      if ('write' in companion) return undefined;
      statements.push(insertStatement(this.dataSource, companion.entity, [companion.row]));
    }
    for (const { entity, rows } of contributions)
      if (rows.length > 0) statements.push(insertStatement(this.dataSource, entity, rows));
    return statements;
  }
}

function postsOf(rows: readonly PendingRow[]): Post[] {
  return rows.map((row) => row.post);
}
