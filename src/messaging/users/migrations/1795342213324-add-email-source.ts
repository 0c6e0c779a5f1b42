import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../../platform/database/table-columns.js';

/** Adds where the address of an account comes from. Addresses that are stored already count as they did. */
export class AddEmailSource1795342213324 implements MigrationInterface {
  readonly name = 'AddEmailSource1795342213324';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'users', 'email_source', 8);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN email_source');
  }
}
