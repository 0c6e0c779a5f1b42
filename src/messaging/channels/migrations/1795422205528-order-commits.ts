import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn } from '../../../platform/database/table-columns.js';

/** Remembers the latest post of a channel, so that processes which share the database commit posts in their order. */
export class OrderCommits1795422205528 implements MigrationInterface {
  readonly name = 'OrderCommits1795422205528';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'channels', 'last_seq');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('channels', 'last_seq');
  }
}
