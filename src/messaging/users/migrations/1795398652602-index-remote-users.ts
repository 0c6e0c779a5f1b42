import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

const REMOTE = index('ix_users_remote', 'remote_id');

/** Counts the accounts that came over a connection. */
export class IndexRemoteUsers1795398652602 implements MigrationInterface {
  readonly name = 'IndexRemoteUsers1795398652602';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'users', REMOTE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'users', REMOTE);
  }
}
