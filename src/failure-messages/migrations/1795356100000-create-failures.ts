import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, int, text } from '../../platform/database/table-columns.js';

const primary = { isPrimary: true };

/** Creates the failures that people have been told of. */
export class CreateFailures1795356100000 implements MigrationInterface {
  readonly name = 'CreateFailures1795356100000';

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
