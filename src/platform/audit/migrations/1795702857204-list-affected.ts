import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../database/table-columns.js';

/** Adds which of many records a call named; empty in existing rows. */
export class ListAffected1795702857204 implements MigrationInterface {
  readonly name = 'ListAffected1795702857204';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'audits', 'affected', 3_200);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('audits', 'affected');
  }
}
