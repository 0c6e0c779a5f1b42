import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBooleanColumn } from '../../../platform/database/table-columns.js';

/**
 * Adds whether an account of another server was deactivated here. Of stored accounts it was, unless they are deactivated
 * since the time that their own server said.
 */
export class AddDeactivatedHere1795345667838 implements MigrationInterface {
  readonly name = 'AddDeactivatedHere1795345667838';

  async up(runner: QueryRunner): Promise<void> {
    await addBooleanColumn(runner, 'users', 'is_deactivated_here');
    await runner.query(`UPDATE users SET is_deactivated_here = 1 WHERE remote_id <> '' AND delete_at > 0
      AND INSTR(props, CONCAT('"RemoteDeleteAt":"', delete_at, '"')) = 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN is_deactivated_here');
  }
}
