import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn } from '../../../platform/database/table-columns.js';

/** Adds how many of the deliveries of a recovery waited for their next attempt. */
export class CountWaiting1795703000000 implements MigrationInterface {
  readonly name = 'CountWaiting1795703000000';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'delivery_recoveries', 'waiting');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('delivery_recoveries', 'waiting');
  }
}
