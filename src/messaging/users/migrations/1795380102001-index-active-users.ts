import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

const NEW = [['users', index('ix_users_active', 'delete_at', 'username')]] as const;

/** Lists and counts active accounts. */
export class IndexActiveUsers1795380102001 implements MigrationInterface {
  readonly name = 'IndexActiveUsers1795380102001';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, one] of NEW) await addIndex(runner, table, one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, one] of NEW) await dropIndex(runner, table, one);
  }
}
