import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../database/table-columns.js';

const INDICES = [
  index('ix_audits_user', 'user_id', 'create_at', 'id'),
  index('ix_audits_action', 'action', 'create_at', 'id'),
  index('ix_audits_result', 'result', 'create_at', 'id'),
];

/** Lets the audit log be read by user, action and result, newest first, without a look at all of it. */
export class IndexAudits1795476701532 implements MigrationInterface {
  readonly name = 'IndexAudits1795476701532';

  async up(runner: QueryRunner): Promise<void> {
    for (const one of INDICES) await addIndex(runner, 'audits', one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const one of INDICES) await dropIndex(runner, 'audits', one);
  }
}
