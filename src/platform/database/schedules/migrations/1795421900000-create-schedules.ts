import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, text } from '../../table-columns.js';

/** Creates the schedules that several processes share. */
export class CreateSchedules1795421900000 implements MigrationInterface {
  readonly name = 'CreateSchedules1795421900000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'schedules', [
      text('name', 64, { isPrimary: true }),
      big('next_at'),
      id('runner'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('schedules');
  }
}
