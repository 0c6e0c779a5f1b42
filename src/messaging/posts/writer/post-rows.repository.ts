import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Step } from '../../../platform/database/commits/commit-kind.js';
import { insertStatements } from '../../../platform/database/rows.js';
import { Post } from '../post.entity.js';
import { countingStatements } from './counting-statements.js';
import type { PendingRow } from './pending-row.js';
import type { Companion } from './write-request.js';

/** What one commit of posts writes: the rows, their companions, and what has to be counted. */
@Injectable()
export class PostRowsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  steps(rows: readonly PendingRow[], companions: readonly Companion[]): Step[] {
    const posts = rows.map(({ post }) => post);
    const ofCompanion = (companion: Companion): Step[] =>
      'write' in companion
        ? [(manager) => companion.write(manager, posts)]
        : insertStatements(this.dataSource, companion.entity, companion.rows);
    return [
      ...insertStatements(this.dataSource, Post, posts),
      ...countingStatements(rows),
      ...companions.flatMap(ofCompanion),
    ];
  }
}
