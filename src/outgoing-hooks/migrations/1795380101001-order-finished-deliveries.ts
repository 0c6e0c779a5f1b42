import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../platform/database/table-columns.js';

const ORDERED = index('ix_deliveries_finished', 'finish_at', 'seq');
const FORMER = index('ix_deliveries_finish', 'finish_at');

/** Finds the newest open delivery, and the last settled ones, without reading the others. */
export class OrderFinishedDeliveries1795380101001 implements MigrationInterface {
  readonly name = 'OrderFinishedDeliveries1795380101001';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'deliveries', ORDERED);
    await dropIndex(runner, 'deliveries', FORMER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'deliveries', FORMER);
    await dropIndex(runner, 'deliveries', ORDERED);
  }
}
