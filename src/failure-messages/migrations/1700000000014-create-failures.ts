import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, int, primary, text } from '../../platform/database/table-columns.js';

/** Creates the failures that users have been told about. */
export class CreateFailures1700000000014 implements MigrationInterface {
  readonly name = 'CreateFailures1700000000014';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'failures', [
      id('subject_id', primary),
      text('endpoint', 300, primary),
      id('user_id'),
      int('stage'),
      big('told_at'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('failures');
  }
}
