import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn } from '../../database/table-columns.js';

/** Adds how many further refused calls a row stands for; 0 in existing rows. */
export class CountRefusals1795704365429 implements MigrationInterface {
  readonly name = 'CountRefusals1795704365429';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'audits', 'repeats');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('audits', 'repeats');
  }
}
