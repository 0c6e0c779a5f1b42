import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  createTable,
  empty,
  id,
  index,
  int,
  primary,
  text,
  zero,
} from '../../database/table-columns.js';

/** Creates the audit log. */
export class CreateAudits1700000000001 implements MigrationInterface {
  readonly name = 'CreateAudits1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'audits',
      [
        id('id', primary),
        big('create_at'),
        id('user_id'),
        text('action', 64),
        text('target', 128),
        text('result', 16),
        int('status'),
        text('error_id', 128),
        id('request_id'),
        text('address', 64),
        text('parameters', 1000, empty),
        text('affected', 3_200, empty),
        big('repeats', zero),
      ],
      [
        index('ix_audits_create', 'create_at', 'id'),
        index('ix_audits_user', 'user_id', 'create_at', 'id'),
        index('ix_audits_action', 'action', 'create_at', 'id'),
        index('ix_audits_result', 'result', 'create_at', 'id'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('audits');
  }
}
